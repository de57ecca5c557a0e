"""What a page draws beside a condition: small pictures that several systems share, each a path of 16 by 16."""

from __future__ import annotations

from collections.abc import Mapping

from affray.system.pictures import Icon

_EYES = "M5.6 5.7A1.5 1.5 0 0 1 5.6 8.7 1.5 1.5 0 0 1 5.6 5.7ZM10.4 5.7A1.5 1.5 0 0 1 10.4 8.7 1.5 1.5 0 0 1 10.4 5.7Z"
SKULL = f"M8 1A6 6 0 0 0 2 7C2 9.2 3.1 10.9 4.6 11.9V15H11.4V11.9C12.9 10.9 14 9.2 14 7A6 6 0 0 0 8 1Z{_EYES}"
FALLEN = "M3 6.5A2 2 0 1 1 3 10.5 2 2 0 1 1 3 6.5ZM6 7H12.5L15 10.5V12H13L11.5 9.8H6ZM1 13.2H15V14.6H1Z"
FLAG = "M2.6 1H4.2V15H2.6ZM5.2 1.8C7.4.8 9 3.2 14 1.8V8.4C9 9.8 7.4 7.4 5.2 8.4Z"
AWAY = "M1 1.5H8V3H2.6V13H8V14.5H1ZM9.5 4 15.2 8 9.5 12V9.2H5V6.8H9.5Z"
FLAME = (
    "M8.6 1C9.2 4.2 12.8 5.8 12.8 10A4.8 4.8 0 0 1 3.2 10"
    "C3.2 7.9 4.2 6.6 5.2 5.4 5.3 6.8 5.7 7.5 6.5 7.9 6.2 5.2 6.9 2.8 8.6 1Z"
)
DROP = "M8 1C9.8 4.2 12.6 6.8 12.6 10.2A4.6 4.6 0 0 1 3.4 10.2C3.4 6.8 6.2 4.2 8 1Z"
TREMOR = "M1 5.2 4 9.2 7 5.2 10 9.2 13 5.2 15 7.8V10.6L13 8 10 12 7 8 4 12 1 8Z"
STARS = (
    "M6 3.6 7.5 7 11.2 7.3 8.4 9.7 9.3 13.3 6 11.4 2.7 13.3 3.6 9.7.8 7.3 4.5 7Z"
    "M12.5 1 13.3 2.8 15.2 3 13.7 4.2 14.2 6 12.5 5 10.8 6 11.3 4.2 9.8 3 11.7 2.8Z"
)
ALARM = "M6.4 1H9.6L9.1 10.4H6.9ZM8 11.6A1.7 1.7 0 1 1 8 15 1.7 1.7 0 1 1 8 11.6Z"
BETTER = "M8 1 14.5 7.5H11L8 4.6 5 7.5H1.5ZM8 8 14.5 14.5H11L8 11.6 5 14.5H1.5Z"
WORSE = "M8 15 1.5 8.5H5L8 11.4 11 8.5H14.5ZM8 8 1.5 1.5H5L8 4.4 11 1.5H14.5Z"
PIN = "M5.6 1H10.4V2.4L9.7 6 12.4 8.2V9.8H8.8V15H7.2V9.8H3.6V8.2L6.3 6 5.6 2.4Z"
HEIGHT = "M.8 14.5 6 4.2 8.7 8.8 10.5 6.2 15.2 14.5Z"
CHAIN = (
    "M5 4A4 4 0 0 0 5 12 4 4 0 0 0 5 4ZM5 6A2 2 0 0 1 5 10 2 2 0 0 1 5 6Z"
    "M11 4A4 4 0 0 0 11 12 4 4 0 0 0 11 4ZM11 6A2 2 0 0 1 11 10 2 2 0 0 1 11 6Z"
)
TILT = "M8 8.4 12 15H4ZM.8 9.8 14.4 3.2 15.2 4.7 1.6 11.3Z"
HEART = (
    "M7.4 13.9 2 8.4A3.6 3.6 0 0 1 7 3.3L7.6 4 6.4 6.8 8.4 9 6.9 11.2Z"
    "M8.6 13.9 14 8.4A3.6 3.6 0 0 0 9 3.3L7.9 6.6 9.9 8.9 8.3 11.3Z"
)
SHIELD = "M8 1 14 3V8C14 11.6 11.6 13.9 8 15.2 4.4 13.9 2 11.6 2 8V3Z"
DROPPED = "M7 1H9V7H12.4L8 11.6 3.6 7H7ZM2 13H14V14.6H2Z"
CROSS = "M3 1.5 8 6.5 13 1.5 14.5 3 9.5 8 14.5 13 13 14.5 8 9.5 3 14.5 1.5 13 6.5 8 1.5 3Z"


def conditions(drawn: Mapping[str, str]) -> tuple[Icon, ...]:
    """The icons of conditions, by the words that their texts contain."""
    return tuple(Icon(word, "", path) for word, path in drawn.items())
