import * as fc from 'fast-check';
import { HOUR } from '../../values/clock.js';
import { deliveryRetryDelayMs, judgeResponse, nextStep, responseError } from './delivery-verdict.js';

describe('judge', () => {
  it.each([200, 201, 204, 299])('counts %i as success', (status) => {
    expect(judgeResponse(status)).toBe('delivered');
  });

  it.each([429, 500, 502, 503, 599])('retries %i', (status) => {
    expect(judgeResponse(status)).toBe('retryable');
  });

  it.each([301, 302, 304, 307, 308])('counts the redirect %i as a failure and retries it', (status) => {
    expect(judgeResponse(status)).toBe('retryable');
    expect(responseError(status)).toContain('redirects are not followed');
  });

  it.each([400, 401, 403, 404, 408, 409, 422, 451])('does not retry %i', (status) => {
    expect(judgeResponse(status)).toBe('refused');
  });

  it('counts 410 as gone for good', () => {
    expect(judgeResponse(410)).toBe('gone');
  });

  it('retries timeouts and connection errors', () => {
    expect(judgeResponse(null)).toBe('retryable');
  });
});

describe('nextStep', () => {
  /** The waits of a delivery whose endpoint never responds. */
  const schedule = (retryCount: number, random: number): number[] => {
    const waits: number[] = [];
    for (let attempt = 1; ; attempt += 1) {
      const step = nextStep('retryable', attempt, retryCount - (attempt - 1), null, random);
      if (step.status !== 'pending') return waits;
      waits.push(step.delayMs);
    }
  };

  it('retries after 1 s, 2 s, 4 s, 8 s and so on', () => {
    expect(schedule(5, 0)).toEqual([1000, 2000, 4000, 8000, 16_000]);
  });

  it('makes at most four attempts when retry_count is 3', () => {
    expect(schedule(3, 0.5)).toHaveLength(3);
  });

  it('makes one attempt when retry_count is 0', () => {
    expect(schedule(0, 0)).toEqual([]);
  });

  it('adds up to 20 % jitter and is never early', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (attempt, random) => {
          const wait = 1000 * 2 ** (attempt - 1);
          const delay = deliveryRetryDelayMs(attempt, null, random);
          expect(delay).toBeGreaterThanOrEqual(wait);
          expect(delay).toBeLessThanOrEqual(wait * 1.2 + 1);
        },
      ),
    );
  });

  it.each([
    [1, 30_000, 0, 30_000],
    [1, 30_000, 1, 36_000],
    [6, 30_000, 0, 32_000],
    [1, 0, 0, 1000],
    [1, 7 * HOUR, 0, HOUR],
    [10, 7 * HOUR, 1, 1.2 * HOUR],
  ])(
    'waits after attempt %i, with a Retry-After of %i ms and jitter %d: %i ms',
    (attempt, requestedMs, random, delayMs) => {
      expect(nextStep('retryable', attempt, 1, requestedMs, random)).toEqual({ status: 'pending', delayMs });
    },
  );

  it('does not exceed retry_count because of a Retry-After', () => {
    expect(nextStep('retryable', 4, 0, 30_000, 0)).toEqual({ status: 'failed' });
    expect(nextStep('refused', 1, 3, 30_000, 0)).toEqual({ status: 'failed' });
  });

  it('fails immediately when a retry would not help', () => {
    expect(nextStep('refused', 1, 3, null, 0)).toEqual({ status: 'failed' });
    expect(nextStep('gone', 1, 3, null, 0)).toEqual({ status: 'failed' });
  });

  it('is delivered after a success', () => {
    expect(nextStep('delivered', 4, 0, null, 0)).toEqual({ status: 'delivered' });
  });
});
