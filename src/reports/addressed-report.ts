import type { BusinessPhone } from '../accounts/business-phones.service.js';
import { MESSAGE_ERRORS } from '../errors/error-catalog.js';
import type { ReportKind } from '../messages/message-status.js';
import type { MessageReport } from '../messages/outcomes/message-report.js';
import { plainWords } from '../network/network-codes.js';
import { isRecordId } from '../values/record-id.js';
import type { StatusItem } from './status-item.js';
import type { NewUnhandledCallback } from './unhandled-callback.queries.js';

/** A status report with its tenant, and its message if it names one. */
export interface AddressedReport {
  /** Null when the phone or status is unknown. */
  readonly report: (Omit<MessageReport, 'messageId'> & { readonly messageId: string | null }) | null;
  /** How it is recorded when it cannot be applied. */
  readonly unhandled: NewUnhandledCallback;
}

/** Maps the network's statuses to ours. `played`, sent for voice messages, counts as `read`. */
const KINDS: ReadonlyMap<string, ReportKind> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
]);

/**
 * Resolves the tenant and message of a report: by our own id if the report carries it, otherwise by the network's.
 *
 * @param phone the business phone in the callback, or null when no account has it
 */
export function addressReport(
  { phoneNumberId, status }: StatusItem,
  phone: BusinessPhone | null,
  at: Date,
): AddressedReport {
  const kind = KINDS.get(status.status);
  const reason = phone === null ? 'unknown business phone' : 'unknown status';
  const unhandled: NewUnhandledCallback = {
    accountId: phone?.accountId ?? null,
    field: 'messages',
    reason,
    body: { phone_number_id: phoneNumberId, status: status.raw },
  };
  if (phone === null || kind === undefined) return { report: null, unhandled };
  const reportedAt = status.timestamp === null ? at : new Date(Math.min(status.timestamp * 1000, at.getTime()));
  return {
    unhandled,
    report: {
      accountId: phone.accountId,
      messageId: isRecordId(status.opaque) ? status.opaque : null,
      networkMessageId: status.id,
      businessPhoneId: phone.id,
      kind,
      at: reportedAt,
      ...(kind === 'failed' ? { error: errorOf(status.error) } : {}),
      ...(status.pricing === null ? {} : { pricing: status.pricing }),
      ...(status.recipient === null ? {} : { recipient: status.recipient }),
    },
  };
}

const errorOf = (error: StatusItem['status']['error']): { code: number; message: string } =>
  error === null ? MESSAGE_ERRORS.failedWithoutCode : { code: error.code, message: plainWords(error) };
