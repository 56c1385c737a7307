import { RetryAlarm } from '../../src/webhooks/delivery/retry-alarm.js';

describe('the timers for retries of webhooks', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('ring once per endpoint with the lowest id, never early and at most 100 ms late', () => {
    const rings: { endpointId: string; since: string }[] = [];
    const alarm = new RetryAlarm(({ endpointId }, since) => rings.push({ endpointId, since }));
    alarm.set({ accountId: 'a', endpointId: 'e', deliveryId: '2' }, 1000);
    alarm.set({ accountId: 'a', endpointId: 'e', deliveryId: '1' }, 1000);
    alarm.set({ accountId: 'a', endpointId: 'f', deliveryId: '3' }, 1000);
    jest.advanceTimersByTime(999);
    expect(rings).toEqual([]);
    jest.advanceTimersByTime(101);
    expect(rings).toEqual([
      { endpointId: 'e', since: '1' },
      { endpointId: 'f', since: '3' },
    ]);
    jest.advanceTimersByTime(10_000);
    expect(rings).toHaveLength(2);
  });
});
