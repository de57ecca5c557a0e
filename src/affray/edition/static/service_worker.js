// Keeps every file of this edition, so that it works without a connection after the first visit.

const VERSION = "{version}";
const FILES = {files};

self.addEventListener("install", (event) => {
    event.waitUntil(
        caches
            .open(VERSION)
            .then((cache) => cache.addAll(FILES))
            .then(() => self.skipWaiting()),
    );
});

self.addEventListener("activate", (event) => {
    event.waitUntil(
        caches
            .keys()
            .then((names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name))))
            .then(() => self.clients.claim()),
    );
});

self.addEventListener("fetch", (event) => {
    if (event.request.method !== "GET") return;
    event.respondWith(
        caches
            .open(VERSION)
            .then((cache) => cache.match(event.request, { ignoreSearch: true }))
            .then((found) => found ?? fetch(event.request)),
    );
});
