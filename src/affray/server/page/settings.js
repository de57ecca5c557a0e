// What a visitor has switched on or off, kept in this browser.

const USUAL = { sound: false, notify: false, odds: true, keys: true };

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
