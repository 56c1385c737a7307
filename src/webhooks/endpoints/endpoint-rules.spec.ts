import { EVENT_KINDS } from '../../outbox/event.js';
import { changesOf, withDefaults } from './endpoint-rules.js';

describe('withDefaults', () => {
  it('subscribes to all events, retries 3 times and times out after 5 seconds by default', () => {
    expect(withDefaults({})).toEqual({ subscribedEvents: [...EVENT_KINDS], retryCount: 3, timeout: 5 });
  });

  it('keeps the order of events and drops duplicates', () => {
    const { subscribedEvents } = withDefaults({ subscribedEvents: ['message.read', 'message.sent', 'message.read'] });
    expect(subscribedEvents).toEqual(['message.read', 'message.sent']);
  });

  it('accepts 0 retries', () => {
    expect(withDefaults({ retryCount: 0 }).retryCount).toBe(0);
  });
});

describe('changesOf', () => {
  const ENDPOINT = { url: 'https://old.example/', status: 'active' } as const;

  it('changes only the given settings', () => {
    expect(changesOf(ENDPOINT, { timeout: 7 }, undefined)).toEqual({ timeout: 7 });
  });

  it('enables a disabled endpoint and clears its failures', () => {
    expect(changesOf({ ...ENDPOINT, status: 'disabled' }, { status: 'active' }, undefined)).toEqual({
      status: 'active',
      disabledReason: null,
      failingSince: null,
    });
  });

  it('clears the failures of the former URL', () => {
    const url = 'https://new.example/';
    expect(changesOf(ENDPOINT, { url }, undefined)).toEqual({ url, failingSince: null });
    expect(changesOf(ENDPOINT, { url: ENDPOINT.url }, undefined)).toEqual({ url: ENDPOINT.url });
  });

  it('keeps the reason of an endpoint that is already disabled', () => {
    expect(changesOf({ ...ENDPOINT, status: 'disabled' }, { status: 'disabled' }, undefined)).toEqual({});
    expect(changesOf(ENDPOINT, { status: 'disabled' }, undefined)).toEqual({
      status: 'disabled',
      disabledReason: 'disabled by request',
    });
  });

  it('replaces or removes the secret and ends a rotation', () => {
    const ended = { previousSecret: null, previousSecretUntil: null };
    expect(changesOf(ENDPOINT, {}, 'sealed')).toEqual({ secret: 'sealed', ...ended });
    expect(changesOf(ENDPOINT, {}, null)).toEqual({ secret: null, ...ended });
  });
});
