import { DomainError } from '../../errors/domain-error.js';
import type { MessageRow } from './message-history.queries.js';
import { sentMessageOf } from './sent-message.js';

const AT = new Date('2026-01-31T09:30:00Z');
const row = (change: Partial<MessageRow>): MessageRow =>
  ({
    id: 'm',
    contactId: 'c',
    status: 'pending',
    errorCode: null,
    errorMessage: null,
    acceptedAt: null,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    clickedAt: null,
    failedAt: null,
    ...change,
  }) as MessageRow;
const refusal = (change: Partial<MessageRow>): DomainError => {
  try {
    sentMessageOf(row(change));
  } catch (error) {
    return error as DomainError;
  }
  throw new Error('nothing was thrown');
};

describe('the outcome of a send, derived from its message', () => {
  it.each<[string, Partial<MessageRow>]>([
    ['accepted', { status: 'accepted', acceptedAt: AT }],
    ['sent', { status: 'sent', sentAt: AT }],
    ['first reported as read', { status: 'read', readAt: AT }],
    ['accepted, then failed', { status: 'failed', acceptedAt: AT, failedAt: AT, errorCode: 131026 }],
  ])('is success when it was %s', (_what, change) => {
    expect(sentMessageOf(row(change))).toEqual({ messageId: 'm', contactId: 'c', at: AT });
  });

  it('is 504 network_timeout while it is pending', () => {
    expect(refusal({})).toMatchObject({ code: 'network_timeout', status: 504, headers: { 'x-message-id': 'm' } });
  });

  it('is still 504 network_timeout after the horizon', () => {
    expect(refusal({ status: 'failed', errorCode: 900002, errorMessage: 'unknown' }).code).toBe('network_timeout');
  });

  it.each([900003, 900004])('is 503 network_unavailable when it was not sent (%i)', (code) => {
    expect(refusal({ status: 'failed', errorCode: code, errorMessage: 'away' })).toMatchObject({
      code: 'network_unavailable',
      headers: { 'x-message-id': 'm', 'retry-after': '1' },
    });
  });

  it('is 400 network_rejected with the reason when the network rejected it', () => {
    expect(refusal({ status: 'failed', errorCode: 131026, errorMessage: 'cannot be reached' })).toMatchObject({
      code: 'network_rejected',
      message: 'cannot be reached',
      headers: { 'x-message-id': 'm' },
    });
  });
});
