// The service worker that shows a notification while no page is open. It does nothing else: no request goes through it.

const FIGHT = /^\d{1,9}$/;

addEventListener("push", (event) => {
    const { title, body, fight } = event.data?.json() ?? {};
    if (typeof title !== "string" || !FIGHT.test(String(fight))) return;
    event.waitUntil(
        registration.showNotification(title, {
            body: String(body ?? ""),
            icon: "icon.svg",
            tag: `affray-${fight}`, // a later notification about the same fight replaces this one
            data: { fight },
        }),
    );
});

addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(show(`#/fight/${event.notification.data.fight}`));
});

/** Shows a fight in a page that is open, or in a new one. */
async function show(route) {
    const page = new URL("..", location.href);
    const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const found = open.find((each) => new URL(each.url).pathname === page.pathname);
    if (!found) return clients.openWindow(page.href + route);
    found.postMessage({ type: "go", route });
    return found.focus();
}
