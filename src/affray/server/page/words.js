// Numbers and lists as people write them.

/** A chance in per cent; one that is neither sure nor impossible is never written as if it were. */
export function percent(chance, digits = 0) {
    const least = 10 ** -digits;
    const shown = chance * 100;
    if (shown > 0 && shown < least / 2) return `<${least.toFixed(digits)}%`;
    if (shown < 100 && shown > 100 - least / 2) return `>${(100 - least).toFixed(digits)}%`;
    return `${shown.toFixed(digits)}%`;
}

/** A number with its sign, a true minus among them. */
export function signed(value, digits = 1) {
    const text = Math.abs(value).toFixed(digits);
    if (Number(text) === 0) return text;
    return (value < 0 ? "\u2212" : "+") + text;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names) {
    return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** `1 fight`, `3 fights`. */
export function counted(number, one, many = `${one}s`) {
    return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** A text with its first letter large, unless it begins with dice such as d100. */
export function capital(text) {
    return /^d\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** How a fight ended, as a sentence. */
export function endingIn(ending, teams) {
    if (ending === null || ending === undefined) return "It was not decided.";
    if (teams.includes(ending)) return `${capital(ending)} won.`;
    return ending === "draw" ? "It is a draw." : `It ended: ${ending}.`;
}

/** Who moves a fighter, in words. */
export function mover(seat) {
    if (seat.open) return "open seat";
    if (seat.player) return `played by ${seat.player}`;
    return seat.tactic ? `computer, ${seat.tactic}` : "storyteller";
}
