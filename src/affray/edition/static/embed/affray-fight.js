// <affray-fight system="bgo" teams="heroes=player monsters=fire-slime">: a fight to play, inside any page.

const EDITION = new URL("../", import.meta.url);

class AffrayFight extends HTMLElement {
    connectedCallback() {
        const start = document.createElement("button");
        start.type = "button";
        start.textContent = this.getAttribute("label") ?? "Play a fight here";
        start.addEventListener("click", () => this.open());
        this.replaceChildren(start);
        if (this.hasAttribute("auto")) this.open();
    }

    open() {
        const system = this.getAttribute("system") ?? "";
        const teams = (this.getAttribute("teams") ?? "").trim().split(/\s+/).join("&");
        const frame = document.createElement("iframe");
        frame.src = new URL(`index.html?embed#/start/${system}${teams && `/${teams}`}`, EDITION).href;
        frame.title = `A fight of ${system}`;
        frame.style.cssText = "width: 100%; height: 46rem; border: 1px solid; border-radius: 6px;";
        this.replaceChildren(frame);
    }
}

customElements.define("affray-fight", AffrayFight);
