import type { WindowBounds } from './delivery-window.js';

/** Concurrent attempts per process. A hanging attempt costs little more than a socket. */
export const MAX_CONCURRENT_ATTEMPTS = 2048;
export const PROCESS_WINDOW: WindowBounds = {
  initial: MAX_CONCURRENT_ATTEMPTS,
  min: MAX_CONCURRENT_ATTEMPTS,
  max: MAX_CONCURRENT_ATTEMPTS,
};

/** Concurrent attempts per endpoint: up to `max` while it responds quickly, down to `min` when it hangs. */
export const ENDPOINT_WINDOW: WindowBounds = { initial: 4, min: 1, max: 128 };

/** Concurrent attempts per tenant. At `min`, it takes 64 hostile tenants to fill a process. */
export const TENANT_WINDOW: WindowBounds = { initial: 256, min: 32, max: 256 };

/** Concurrent claims. They share the connection pool with everything else. */
export const MAX_CLAIMS = 3;
