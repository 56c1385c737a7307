import type { AccountRestrictions } from '../accounts/account-restrictions.js';
import { MAGIC, magicOf } from '../callbacks/delivery-plan.js';
import type { Behaviour } from '../control/behaviour.js';
import { GraphError } from '../graph-error.js';
import type { People } from '../people/people.js';
import type { SimulatedPhone } from '../phone-registry.js';
import type { PhoneStates } from '../phones/phone-states.js';
import type { CheckedSend } from './checked-send.js';
import type { SendLimits } from './send-limits.js';
import type { ServiceWindows } from './service-windows.js';

interface Stores {
  restrictions: AccountRestrictions;
  windows: ServiceWindows;
  states: PhoneStates;
  people: People;
}

/** Rejects valid messages for their circumstances: rate limits, closed service windows, injected errors. */
export class Admission {
  constructor(
    private readonly stores: Stores,
    private readonly behaviour: Behaviour,
    private readonly limits: SendLimits,
  ) {}

  admit(send: CheckedSend): void {
    const { max_mps, pair_limit } = this.behaviour.settings;
    const { phone, addressee, template, isLost } = send;
    const { to, waId, userId } = addressee;
    const magic = magicOf(to ?? userId);
    const pair = `${phone.phone_number_id}:${userId}`;
    if (max_mps > 0) this.limits.takeThroughput(phone.phone_number_id, max_mps);
    if (magic === MAGIC.rejected) throw new GraphError(131030, 'Recipient phone number not in allowed list');
    if (waId !== null && waId === phone.display_phone_number.replace(/\D/g, '')) {
      throw new GraphError(131021, 'Sender and recipient phone number is the same');
    }
    this.stores.restrictions.checkSend(send);
    this.stores.states.checkSend(send);
    if (to === null) this.admitUser(send);
    if (!template && !isLost && !this.stores.windows.isOpen(phone.phone_number_id, userId)) {
      const details = 'Message failed to send because more than 24 hours have passed since the customer last replied';
      throw new GraphError(131047, details);
    }
    if (magic === MAGIC.pairLimitedOnce && this.limits.isFirstAttempt(pair)) {
      throw new GraphError(131056, 'Too many messages sent to the same recipient in a short time');
    }
    this.injectError(phone);
    if (pair_limit) this.limits.takePair(pair);
  }

  /** A receipt needs no window and counts for no limit. */
  admitReceipt(phone: SimulatedPhone): void {
    this.stores.states.checkRegistered(phone);
    this.injectError(phone);
  }

  private injectError(phone: SimulatedPhone): void {
    const { error } = this.behaviour.settings;
    if (phone.error_code !== undefined) throw new GraphError(phone.error_code, 'Set by /_sim/phones');
    if (error && this.behaviour.random.chance(error.rate)) {
      const { code, subcode } = error;
      throw new GraphError(code, 'Injected by /_sim/behaviour', subcode === undefined ? {} : { subcode });
    }
  }

  private admitUser({ addressee, template }: CheckedSend): void {
    if (!this.stores.people.knows(addressee.userId)) {
      throw new GraphError(131026, 'Message Undeliverable. No customer of this business has that user id.');
    }
    if (template?.category === 'AUTHENTICATION') {
      throw new GraphError(131062, 'Authentication templates can only be sent to phone numbers');
    }
  }
}
