// What a visitor has switched on or off, kept in this browser.

const USUAL = { sound: false, notify: false, odds: true, keys: true, effects: false };
const unkept = new Map(); // in a browser that keeps nothing

/** Whether a switch is on. */
export function isOn(name) {
    try {
        const kept = localStorage.getItem(`affray.${name}`);
        return kept === null ? USUAL[name] : kept === "on";
    } catch {
        return USUAL[name]; // a browser that keeps nothing
    }
}

/** Turns a switch. */
export function turn(name, on) {
    try {
        localStorage.setItem(`affray.${name}`, on ? "on" : "off");
    } catch {
        USUAL[name] = on;
    }
}

/** A word that was kept; null if there is none. */
export function kept(name) {
    try {
        return localStorage.getItem(`affray.${name}`);
    } catch {
        return unkept.get(name) ?? null;
    }
}

/** Keeps a word. */
export function keep(name, word) {
    try {
        localStorage.setItem(`affray.${name}`, word);
    } catch {
        unkept.set(name, word);
    }
}
