// The choice of a system, on which the rest of a form depends.

import { attempt } from "./alerts.js";
import { choice } from "./dom.js";
import { systemOf } from "./systems.js";

/** The choice of a system; `show` lays out what depends on it. Until the server has described the system, the
 * places that still show another one are inert, because any input there would be lost.
 * Of several choices the last one counts; if a system cannot be loaded, the one that is shown stays chosen. */
export function systemChoice(systems, first, show, ...places) {
    const pairs = systems.map((each) => [each.id, each.title]);
    const select = choice(pairs, first, { name: "system", onchange: () => attempt(load) });
    let shown = null;

    function hold() {
        for (const place of places) place.inert = select.value !== shown;
    }

    /** Comes back once what is chosen is shown. */
    async function load() {
        const asked = select.value;
        hold();
        try {
            const system = await systemOf(asked);
            if (asked !== select.value || asked === shown) return;
            shown = asked;
            show(system);
        } catch (error) {
            if (asked === select.value) select.value = shown;
            throw error;
        } finally {
            hold();
        }
    }

    return { select, load };
}
