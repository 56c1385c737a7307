import type { jest } from '@jest/globals';

type FakeTimers = Extract<Parameters<typeof jest.useFakeTimers>[0], { readonly doNotFake?: unknown }>;

/** For `jest.useFakeTimers`: only the clock that measures spans, `performance.now`, moves by hand. */
export const ONLY_SPANS: FakeTimers = {
  doNotFake: [
    'Date',
    'hrtime',
    'nextTick',
    'queueMicrotask',
    'setImmediate',
    'clearImmediate',
    'setInterval',
    'clearInterval',
    'setTimeout',
    'clearTimeout',
  ],
};
