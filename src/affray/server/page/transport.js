// The way to the server: requests over HTTP, and one line over a WebSocket.

/** Makes a request. */
export function request(method, path, body, signal) {
    const headers = { Accept: "application/json" };
    if (method !== "GET") headers["X-CSRF-Token"] = cookie("affray_csrf");
    if (body !== undefined) headers["Content-Type"] = "application/json";
    return fetch(`api/${path}`, { method, headers, body, signal, credentials: "same-origin" });
}

/** Opens the line. */
export function openLine() {
    const address = new URL("live", document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    return new WebSocket(address);
}

function cookie(name) {
    const found = document.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
    return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}
