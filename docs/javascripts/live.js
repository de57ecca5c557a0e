// Live fights, live odds and code that can be edited and run, by the web edition beside this documentation.

const EDITION = new URL("../edition/", import.meta.url);

async function begin() {
    const fights = document.querySelector("affray-fight, affray-odds");
    const examples = location.pathname.includes("/library/") ? pythonExamples() : [];
    if (!fights && !examples.length) return;
    try {
        await import(new URL("embed/affray-fight.js", EDITION));
        await import(new URL("embed/affray-odds.js", EDITION));
        const { ask } = await import(new URL("python/ask.js", EDITION));
        const run = runner(examples, ask);
        examples.forEach((block, place) => offer(block, (source) => run(place, source)));
    } catch {
        // The documentation was built without the edition: the pages say the same without it.
    }
}

function pythonExamples() {
    const isPython = (block) => /^\s*(>>> |import |from )/.test(block.textContent);
    return [...document.querySelectorAll(".highlight")].filter(isPython);
}

/** Runs an example after those before it, on which it may build. */
function runner(examples, ask) {
    const sources = examples.map((block) => block.querySelector("code").textContent);
    let done = 0;
    return async (place, source) => {
        for (; done < place; done += 1) await ask({ ask: "run", source: sources[done] });
        done = Math.max(done, place + 1);
        return ask({ ask: "run", source });
    };
}

/** Puts a button below an example, which makes it a text to edit and run. */
function offer(block, run) {
    const button = element("button", { type: "button", class: "md-button" }, "Edit and run");
    button.addEventListener("click", () => edit(block, button, run));
    block.after(button);
}

function edit(block, button, does) {
    const source = block.querySelector("code").textContent;
    const text = element("textarea", { "aria-label": "Code", rows: source.split("\n").length + 1, spellcheck: "false" });
    const printed = element("pre", { role: "status", "aria-label": "What the code printed" });
    const run = element("button", { type: "button", class: "md-button" }, "Run");
    text.value = source;
    text.style.cssText = "width: 100%; font: 0.68rem/1.4 monospace; box-sizing: border-box;";

    async function start() {
        run.disabled = true;
        printed.textContent = "Running\u2026 (the first time Python has to start)";
        try {
            printed.textContent = (await does(text.value)) || "(nothing printed)";
        } catch (error) {
            printed.textContent = error.message;
        }
        run.disabled = false;
    }

    run.addEventListener("click", start);
    text.addEventListener("keydown", (event) => event.ctrlKey && event.key === "Enter" && start());
    block.replaceWith(text);
    button.replaceWith(run, printed);
    text.focus();
}

function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
}

begin();
