import { Injectable } from '@nestjs/common';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { conflict } from '../errors/domain-error.js';
import { Message } from '../messages/message.entity.js';
import { messageNotFound } from '../messages/messages.errors.js';
import { MessagingNetwork } from '../network/network.js';
import { parkReports } from '../reports/parked-report.queries.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { type RememberedEvent, readHistory } from './meta-answers.js';

/** What the network remembers of a message, and what Parley knew. */
export interface MessageTrace {
  readonly networkMessageId: string;
  /** The status before anything that the network said is applied. */
  readonly status: string;
  readonly events: readonly RememberedEvent[];
  /** How many of the events were handed over as reports. */
  readonly reports: number;
}

const FIELDS = 'id,message_id,events{delivery_status,timestamp,webhook_update_state,error_description}';
/** The events that reports tell too. */
const REPORTED = ['SENT', 'DELIVERED', 'READ', 'FAILED'];
/** The code in the description of an error, such as `(#131026) Message undeliverable`. */
const CODE = /\(#(\d{1,10})\)|^(\d{3,7})\b/;

/** Asks the network what became of a message, and treats its answer like the reports that should have said so. */
@Injectable()
export class MessageTraceService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly network: MessagingNetwork,
  ) {}

  /**
   * Reads a message back. The reports are applied by the workers within seconds; doing it again changes nothing.
   *
   * @throws DomainError `not_found`; `conflict` when the network cannot be asked about the message
   * @throws NetworkRefusal, NetworkUnreachable, NetworkOutcomeUnknown
   */
  async trace(accountId: string, messageId: RecordId): Promise<MessageTrace> {
    const message = await this.unitOfWork.autocommit.manager.findOneBy(Message, { accountId, id: messageId });
    if (message === null) throw messageNotFound(messageId);
    const { direction, networkMessageId, businessPhoneId, status } = message;
    if (direction !== 'out') throw conflict(`message ${messageId} was received, not sent`);
    if (networkMessageId === null) {
      throw conflict(`message ${messageId} has no id of the network, which has not said that it accepted the message`);
    }
    const phone = await this.phones.findCurrent(accountId, businessPhoneId);
    if (phone === null) throw conflict(`the business phone of message ${messageId} was removed`);
    const query = new URLSearchParams({ message_id: networkMessageId, fields: FIELDS });
    const path = `/${phone.phoneNumberId}/message_history?${query}`;
    const token = await this.phones.token(phone);
    const events = readHistory(await this.network.call<unknown>({ method: 'GET', path, token }));
    const reports = events
      .filter((event) => REPORTED.includes(event.status))
      .map((event) => ({
        accountId,
        id: newRecordId(),
        networkMessageId,
        report: { phone_number_id: phone.phoneNumberId, status: statusOf(networkMessageId, event) },
      }));
    await this.unitOfWork.transaction((tx) => parkReports(reports, tx));
    return { networkMessageId, status, events, reports: reports.length };
  }
}

/** The status object of a callback that would say the same. */
function statusOf(id: string, { status, timestamp, error }: RememberedEvent): object {
  const [, inBrackets, leading] = CODE.exec(error ?? '') ?? [];
  const code = Number(inBrackets ?? leading ?? 0);
  return {
    id,
    status: status.toLowerCase(),
    ...(timestamp === null ? {} : { timestamp: String(timestamp) }),
    // Without a code there is no error object: code 0 would mean something else.
    ...(code === 0 ? {} : { errors: [{ code, message: error?.replace(CODE, '').trim() }] }),
  };
}
