// The combat systems as the server describes them, each asked for once.

import { get } from "./api.js";
import { learnCards, learnIcons } from "./icons.js";

const known = new Map();

/** All systems: id, title and summary. */
export const allSystems = () => once("systems");

/** One system with its options, sheets, tactics and rulings. */
export async function systemOf(id) {
    const system = await once(`systems/${encodeURIComponent(id)}`);
    learnIcons(system.icons);
    learnCards(system.cards);
    return system;
}

/** One ruling of a system. */
export async function rulingOf(system, id) {
    return (await systemOf(system)).rulings.find((ruling) => ruling.id === id);
}

/** A system as one plays a game around its fights: with its players' sheets, its options and one side for all. */
export function asGame(system, word) {
    const game = system.games.find((each) => each.word === word);
    if (!game) return system;
    const [group] = Object.entries(system.sheets).find(([, sheets]) => sheets.some((each) => each.id === game.sheet));
    return {
        ...system,
        game,
        sheets: { [group]: system.sheets[group] },
        demonstration: { [game.side]: [game.sheet, game.sheet] },
        options: game.options,
        profiles: {},
    };
}

/** All sheets of a system in one list, each with the group it stands in. */
export function sheetsOf(system) {
    return Object.entries(system.sheets).flatMap(([group, sheets]) => sheets.map((sheet) => ({ ...sheet, group })));
}

function once(path) {
    if (!known.has(path)) {
        known.set(
            path,
            get(path).catch((error) => {
                known.delete(path);
                throw error;
            }),
        );
    }
    return known.get(path);
}
