import type { RoomClass } from './manifest/room.js';

/**
 * The extensions by their names. This checkout has none of its own: the build replaces this file by one that imports those
 * it finds, and so do the tests.
 */
export const EXTENSIONS: Readonly<Record<string, RoomClass>> = {};
