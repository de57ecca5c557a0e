// A coat of arms for every fighter, drawn from its name: the same name always has the same arms.

import { svg } from "./dom.js";

const SHIELD = "M3 2H29V16Q29 27 16 31Q3 27 3 16Z";
const TINCTURES = ["#7d2a1d", "#2f5673", "#3f6b3a", "#6b4a83", "#8a6414", "#3d3a38"];
const METALS = ["#f3e3b3", "#eef0ee"];
const FIELDS = [
    "", // plain
    "M3 2H16V31Q3 27 3 16Z", // per pale
    "M3 2H29V14H3Z", // per fess
    "M3 2 29 30H16Q3 27 3 16Z", // per bend
    "M3 2H29L16 17Z", // per chevron reversed
    "M3 2H16V16H29Q28 26 16 31V16H3Z", // quarterly
    "M3 10H29V17H3Z", // a fess
    "M12 2H20V30Q16 31 12 30Z", // a pale
];
const CHARGES = [
    "M16 6 18.4 12.4 25 12.6 19.8 16.7 21.6 23 16 19.4 10.4 23 12.2 16.7 7 12.6 13.6 12.4Z", // a star
    "M16 6Q22 12 16 25Q10 12 16 6Z", // a leaf
    "M14.5 5H17.5V17H21V19.5H17.5V25H14.5V19.5H11V17H14.5Z", // a sword
    "M19 8.5A7.5 7.5 0 1 0 19 21.5A6.6 6.6 0 1 1 19 8.5Z", // a crescent
    "M9 12 12 8 16 12 20 8 23 12V20H9Z", // a crown
    "M16 7 24 15 16 24 8 15Z", // a lozenge
    "M13.5 7H18.5V12.5H24V17.5H18.5V24H13.5V17.5H8V12.5H13.5Z", // a cross
    "M8 20Q10 9 16 9T24 20L20 17 16 21 12 17Z", // wings
    "M16 8A7 7 0 0 1 16 22A7 7 0 0 1 16 8ZM16 12A3 3 0 0 0 16 18A3 3 0 0 0 16 12Z", // a ring
];

/** The arms of a name; they only repeat what stands beside them. */
export function token(name) {
    const roll = dealer(name);
    const field = TINCTURES[roll(TINCTURES.length)];
    const metal = METALS[roll(METALS.length)];
    const division = FIELDS[roll(FIELDS.length)];
    const charge = CHARGES[roll(CHARGES.length)];
    return svg(
        "svg",
        { class: "arms", viewBox: "0 0 32 33", width: 32, height: 33, "aria-hidden": "true" },
        svg("path", { d: SHIELD, fill: field }),
        division ? svg("path", { d: division, fill: TINCTURES[roll(TINCTURES.length)] }) : null,
        svg("path", { class: "charge", d: charge, fill: metal, "fill-rule": "evenodd" }),
        svg("path", { class: "rim", d: SHIELD }),
    );
}

/** Numbers that follow from a text alone. */
function dealer(text) {
    let seed = 2166136261;
    for (const letter of text) seed = Math.imul(seed ^ letter.codePointAt(0), 16777619);
    return (count) => {
        seed = (seed + 0x9e3779b9) | 0;
        let mixed = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b);
        mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
        return ((mixed ^ (mixed >>> 16)) >>> 0) % count;
    };
}
