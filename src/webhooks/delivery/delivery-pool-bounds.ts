import type { WindowBounds } from './delivery-window.js';

/** Attempts under way in one process. One that hangs costs a socket and little else. */
export const MAX_ATTEMPTS = 2048;
export const PROCESS_WINDOW: WindowBounds = { initial: MAX_ATTEMPTS, min: MAX_ATTEMPTS, max: MAX_ATTEMPTS };

/** Attempts under way to one endpoint: what a receiver that answers gets, and what is left to one that hangs. */
export const ENDPOINT_WINDOW: WindowBounds = { initial: 4, min: 1, max: 128 };

/** Attempts under way to all endpoints of one tenant: at its least, 64 hostile tenants do not fill the process. */
export const TENANT_WINDOW: WindowBounds = { initial: 256, min: 32, max: 256 };

/** Claims under way at once: they share the connection pool with everything else. */
export const MAX_CLAIMS = 3;
