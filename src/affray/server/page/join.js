// An invitation: takes the open seat, once the visitor has an account.

import { post, Problem } from "./api.js";
import { fill, h } from "./dom.js";
import { loginForm } from "./session.js";

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
                h("p", { role: "alert" }, error.message),
                h("p", {}, "Log in or create an account, and the seat is yours."),
                loginForm(),
            );
        }
    }

    await take();
    return { title: "Invitation", node };
}
