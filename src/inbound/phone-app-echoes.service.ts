import { Injectable } from '@nestjs/common';
import type { BusinessPhone } from '../accounts/business-phones.service.js';
import { recordEcho } from '../conversations/automatic-rule.queries.js';
import type { Tx } from '../database/unit-of-work.js';
import { MessageMedia } from '../media/message-media.js';
import { ensurePerson } from '../people/person.queries.js';
import { recordIdAt } from '../values/record-id.js';
import type { Echo } from './inbound-message.js';
import { ContactChanged, insertDelivered, isStored, lockContact } from './inbound-message.queries.js';
import { expectFile } from './message-arrivals.service.js';
import { keysOf, MessageChangesService } from './message-changes.service.js';
import { findNamedMessage } from './named-message.queries.js';

/**
 * Stores what the business sent with the phone app: a message of the thread, of which no events tell. It uses up the
 * automatic reply to what the contact wrote before. The network reports its delivery like that of any other message.
 */
@Injectable()
export class PhoneAppEchoesService {
  constructor(
    private readonly changes: MessageChangesService,
    private readonly media: MessageMedia,
  ) {}

  async store(phone: BusinessPhone, echo: Echo, tx: Tx): Promise<void> {
    const { accountId } = phone;
    const { read, at, from, userId } = echo;
    const names = keysOf(echo);
    if (await isStored(accountId, echo.networkMessageId, names, tx)) return;
    const person = { phoneNumber: from, userId, username: null, name: null };
    const contact = await ensurePerson(accountId, person, 'inbound', at, tx);
    if (!(await lockContact(accountId, contact, tx))) throw new ContactChanged();
    const place = { contactId: contact.id, businessPhoneId: phone.id, direction: null, at } as const;
    const named = read.names === null ? null : await findNamedMessage(accountId, read.names, place, tx);
    const keys = {
      id: recordIdAt(at),
      contactId: contact.id,
      businessPhoneId: phone.id,
      contextMessageId: named?.id ?? null,
    };
    const inserted = await insertDelivered(accountId, 'business', keys, echo, names, tx);
    if (inserted === null) return;
    await expectFile(this.media, accountId, keys, read, tx);
    await recordEcho(accountId, { contactId: contact.id, businessPhoneId: phone.id, at, preview: read.preview }, tx);
    if (!inserted.isAwaited) return;
    const changed = { phone, contactId: contact.id, direction: 'out' } as const;
    await this.changes.applyWaiting(changed, { id: keys.id, message: echo }, tx);
  }
}
