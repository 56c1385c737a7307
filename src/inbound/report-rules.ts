import type { BusinessPhone } from '../accounts/business-phones.service.js';
import type { MessageReport } from '../messages/message-report.js';
import type { ReportKind } from '../messages/message-status.js';
import { plainWords } from '../network/refusal-texts.js';
import { isRecordId } from '../values/record-id.js';
import type { StatusItem } from './callback.js';
import type { UnhandledCallback } from './inbound.queries.js';

/** A status report with the tenant and the message that it is about, as far as it says. */
export interface AddressedReport {
  /** Null when it is of no use: an unknown phone or status. */
  readonly report: (Omit<MessageReport, 'messageId'> & { readonly messageId: string | null }) | null;
  /** How it is recorded when it cannot be applied. */
  readonly unhandled: UnhandledCallback;
}

/** The network's words for the steps of our ladder; `played` counts as `read` (D62). */
const KINDS: Readonly<Record<string, ReportKind>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
};

const NO_REASON = { code: 0, message: 'The network gave no reason.' };

/**
 * Finds out what a report is about: our own id first, which it carries back, else the network's.
 *
 * @param phone the business phone that the callback names, or null when it is nobody's
 */
export function addressReport(
  { phoneNumberId, status }: StatusItem,
  phone: BusinessPhone | null,
  at: Date,
): AddressedReport {
  const kind = KINDS[status.status];
  const reason = phone === null ? 'unknown business phone' : 'unknown status';
  const unhandled: UnhandledCallback = {
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
    },
  };
}

const errorOf = (error: StatusItem['status']['error']): { code: number; message: string } =>
  error === null ? NO_REASON : { code: error.code, message: plainWords(error) };
