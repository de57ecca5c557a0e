// An invitation: takes the open seat, once the visitor has an account.

import { attempt, sentence } from "./alerts.js";
import { post, Problem } from "./api.js";
import { button, fill, h } from "./dom.js";
import { becomeGuest, loginForm, who } from "./session.js";

const TAKE = { id: "take-seat", class: "main" };

/** The view of #/join/n/token. */
export async function joinView(number, token) {
    const node = h("div", { class: "narrow" }, h("h1", {}, "An invitation to a fight"));
    const place = h("div", {});
    node.append(place);

    async function take() {
        try {
            await post(`combats/${number}/join`, { token: decodeURIComponent(token) });
            location.replace(`#/fight/${number}`);
        } catch (error) {
            if (!(error instanceof Problem) || ![401, 403].includes(error.status)) throw error;
            fill(
                place,
                error.status === 403 ? h("p", { role: "alert" }, sentence(error.message)) : null,
                who().known ? null : h("p", {}, "A seat at the table is yours. Sit down at once, or log in first."),
                who().known ? null : button("Take the seat as a guest", takeAsGuest, TAKE),
                loginForm(),
            );
        }
    }

    async function takeAsGuest() {
        await attempt(async () => {
            await becomeGuest();
            await take();
        });
    }

    await take();
    return { title: "Invitation", node };
}
