import { NetworkRefusal } from '../../network/network-error.js';

/** The body variable of an AUTHENTICATION template that takes the one-time code. */
export const CODE_VARIABLE = '1';

/** Stands for a whole one-time code, whatever its length, in everything that is shown, stored or logged. */
export const CODE_MASK = '•';

/**
 * The error of a send without the code that was sent, since the network may quote what it refuses.
 *
 * @param code null if the message has none
 */
export const withoutCode = (error: unknown, code: string | null): unknown =>
  error instanceof NetworkRefusal && code !== null ? error.reworded((text) => text.replaceAll(code, CODE_MASK)) : error;
