// Keeps the world in the browser's storage: one file, written whole after every change.

const DATABASE = "affray";
const STORE = "files";
const NAME = "world";

/** The world that was kept; undefined where there is none. */
export function kept() {
    return inStore("readonly", (store) => store.get(NAME));
}

/** Keeps the world; it is on the disk when this is done. */
export function keep(bytes) {
    return inStore("readwrite", (store) => store.put(bytes, NAME));
}

async function inStore(mode, does) {
    const database = await opened();
    return new Promise((resolve, reject) => {
        const change = database.transaction(STORE, mode, { durability: "strict" });
        const asked = does(change.objectStore(STORE));
        change.oncomplete = () => resolve(asked.result);
        change.onabort = change.onerror = () => reject(change.error);
    });
}

let opening = null;

function opened() {
    opening ??= new Promise((resolve, reject) => {
        const asked = indexedDB.open(DATABASE, 1);
        asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => reject(asked.error);
    });
    return opening;
}
