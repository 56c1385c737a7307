import type { BusinessPhone } from '../accounts/business-phones.service.js';
import type { MessageReport } from '../messages/reports/message-report.js';
import type { ReportKind } from '../messages/reports/message-status.js';
import { plainWords } from '../network/refusal-texts.js';
import { isRecordId } from '../values/record-id.js';
import type { StatusItem } from './callback.js';
import type { NewUnhandledCallback } from './unhandled-callback.queries.js';

/** A status report with the tenant and the message that it is about, as far as it says. */
export interface AddressedReport {
  /** Null when it is useless: an unknown phone or status. */
  readonly report: (Omit<MessageReport, 'messageId'> & { readonly messageId: string | null }) | null;
  /** How it is recorded when it cannot be applied. */
  readonly unhandled: NewUnhandledCallback;
}

/** The network's words for the steps of our ladder; `played`, of voice messages, counts as `read`. */
const KINDS: ReadonlyMap<string, ReportKind> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
]);

const NO_REASON = { code: 0, message: 'The network gave no reason.' };

/**
 * Works out which message a report is about: by our own id if it carries it back, else by the network's.
 *
 * @param phone the business phone that the callback names, or null when it is nobody's
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
  error === null ? NO_REASON : { code: error.code, message: plainWords(error) };
