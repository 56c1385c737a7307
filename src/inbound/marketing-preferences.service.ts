import { Injectable } from '@nestjs/common';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { ConsentLedger } from '../consent/consent-ledger.js';
import type { Decision } from '../consent/decision.js';
import { withRetries } from '../database/connections/with-retries.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { findByIdentity } from '../people/contact-identity.queries.js';
import { isIdentityRace, learnIdentity } from '../people/learning.js';
import type { JsonObject } from '../values/network-json.js';
import { type MarketingPreference, phoneNumberIdOf, preferencesOf } from './account-notice.js';

/** Attempts of a transaction that conflicts with another one about the same person. */
const MAX_TRIES = 5;

/** Enters what people have told the network about marketing messages, also of people who are no contact yet. */
@Injectable()
export class MarketingPreferencesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
  ) {}

  /**
   * @param callbackId the request id of the callback, the evidence of the decisions
   * @returns whether every part of the notice was a decision about marketing messages
   */
  async apply(notice: JsonObject, callbackId: string): Promise<boolean> {
    const phoneNumberId = phoneNumberIdOf(notice);
    const phone = phoneNumberId === null ? null : await this.phones.findByPhoneNumberId(phoneNumberId);
    if (phone === null) return false;
    const { preferences, isComplete } = preferencesOf(notice);
    for (const preference of preferences) await this.applyOne(phone.accountId, preference, callbackId);
    return isComplete;
  }

  private async applyOne(accountId: string, preference: MarketingPreference, callbackId: string): Promise<void> {
    const { optedIn, at } = preference;
    const decision = { optedIn, by: 'network', at, evidence: { kind: 'callback', id: callbackId } } as const;
    const writes = this.unitOfWork.writes(accountId);
    const decide = () => writes.transaction((tx) => decideOf(accountId, preference, decision, tx));
    const isContact = await withRetries(decide, isIdentityRace, MAX_TRIES);
    // They may have become a contact meanwhile, by a statement that could not see the opt-out. Later ones can, and those
    // that are still running are looked through by the suppression sweep.
    if (!isContact && !optedIn) await withRetries(decide, isIdentityRace, MAX_TRIES);
  }
}

/** @returns whether the person is a contact. A number and a user id that the network names together are one person. */
async function decideOf(
  accountId: string,
  { phoneNumber, userId }: MarketingPreference,
  decision: Decision & { readonly at: Date },
  tx: Tx,
): Promise<boolean> {
  const { ofNumber, ofUser, numberLeftAt } = await findByIdentity(accountId, phoneNumber, userId, tx);
  // A number that its person had left by then is somebody else's.
  const found = numberLeftAt !== null && decision.at > numberLeftAt ? ofUser : (ofNumber ?? ofUser);
  if (found === null) {
    const identities = [phoneNumber, userId].filter((identity) => identity !== null);
    await ConsentLedger.decideUnknown(accountId, identities, decision, tx);
    return false;
  }
  const told = {
    number: phoneNumber === found.waId ? null : phoneNumber,
    user: userId === null || userId === found.userId ? null : { userId, username: null },
  };
  const contactId = await learnIdentity(accountId, found.id, told, tx);
  await ConsentLedger.decide(accountId, contactId, decision, tx);
  return true;
}
