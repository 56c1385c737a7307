import { EgressError } from '../../src/egress/egress-error.js';
import { until } from '../support/until.js';

/**
 * Repeats `call` until its time is over only after the headers have arrived: on a busy machine, the headers alone may take
 * longer. `onLate` hears of each call for which they did.
 */
export const answered = <T>(call: () => Promise<T>, onLate = (): void => undefined): Promise<T> =>
  until('the headers arrive in time', async () => {
    try {
      return { answer: await call() };
    } catch (error) {
      if (!(error instanceof EgressError && error.kind === 'timeout')) throw error;
      onLate();
      return null;
    }
  }).then(({ answer }) => answer);
