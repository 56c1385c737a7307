import { Manifest } from '../../manifest/manifest.js';
import { Room } from '../../manifest/room.js';
import { WEBHOOK_EVENTS } from '../webhooks.events.js';
import { changesOf, namedEvents, withDefaults } from './endpoint-rules.js';

@Room({ areas: ['webhooks'], events: WEBHOOK_EVENTS })
class Declaring {}

describe('withDefaults', () => {
  const NEW = { url: 'https://new.example/', subscribedEvents: ['message.sent'] };

  it('retries 3 times and times out after 5 seconds by default', () => {
    expect(withDefaults(NEW)).toEqual({ subscribedEvents: ['message.sent'], retryCount: 3, timeout: 5 });
  });

  it('accepts 0 retries', () => {
    expect(withDefaults({ ...NEW, retryCount: 0 }).retryCount).toBe(0);
  });
});

describe('namedEvents', () => {
  const named = (value: unknown) => namedEvents('events', value, new Manifest([Declaring]));

  it('keeps the order of events and drops duplicates', () => {
    expect(named(['*', 'webhook.disabled', '*'])).toEqual(['*', 'webhook.disabled']);
  });

  it.each([[[]], [null], [undefined]])('names none in %j', (value) => {
    expect(named(value)).toBeNull();
  });

  it('refuses what is no list, and names the first unknown event', () => {
    expect(() => named('*')).toThrow('events must be an array of event names, not a string ("*")');
    expect(() => named(['*', 'webhook.test'])).toThrow(
      'events[1] must be one of webhook.disabled, * (got webhook.test)',
    );
  });
});

describe('changesOf', () => {
  const ENDPOINT = { url: 'https://old.example/', status: 'active' as const, headerNames: [] };

  it('changes only the given settings', () => {
    expect(changesOf(ENDPOINT, { timeout: 7 }, {})).toEqual({ timeout: 7 });
  });

  it('enables a disabled endpoint and clears its failures', () => {
    expect(changesOf({ ...ENDPOINT, status: 'disabled' }, { status: 'active' }, {})).toEqual({
      status: 'active',
      disabledReason: null,
      failedDeliveries: 0,
      failingSince: null,
    });
  });

  it('clears the failures of the former URL', () => {
    const url = 'https://new.example/';
    expect(changesOf(ENDPOINT, { url }, {})).toEqual({
      url,
      isDuplicate: false,
      failedDeliveries: 0,
      failingSince: null,
    });
    expect(changesOf(ENDPOINT, { url: ENDPOINT.url }, {})).toEqual({});
  });

  it('keeps the reason of an endpoint that is already disabled', () => {
    expect(changesOf({ ...ENDPOINT, status: 'disabled' }, { status: 'disabled' }, {})).toEqual({});
    expect(changesOf(ENDPOINT, { status: 'disabled' }, {})).toEqual({
      status: 'disabled',
      disabledReason: 'disabled by request',
    });
  });

  it('replaces or removes the secret and ends a rotation', () => {
    const ended = { previousSecret: null, previousSecretUntil: null, olderSecrets: [], olderSecretsUntil: [] };
    expect(changesOf(ENDPOINT, {}, { secret: 'sealed' })).toEqual({ secret: 'sealed', ...ended });
    expect(changesOf(ENDPOINT, {}, { secret: null })).toEqual({ secret: null, ...ended });
  });
});
