import { Injectable, Logger } from '@nestjs/common';
import { STANDARD_THROUGHPUT } from '../accounts/business-phone-registry.service.js';
import { type BusinessPhone, BusinessPhonesService } from '../accounts/business-phones.service.js';
import { messagingLimit, qualityRating, upgradedThroughput } from '../accounts/phone-facts.js';
import {
  claimPhoneToLookUp,
  type DuePhone,
  findPhonesToLookUp,
  setMessagingLimit,
  setPhoneFacts,
  setPortfolio,
} from '../accounts/phone-facts.queries.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { MessagingNetwork } from '../network/network.js';
import { Sweep } from '../queues/sweep.js';
import { DAY, HOUR, now, SECOND } from '../values/clock.js';
import { OncePer } from '../values/once-per.js';

/** Phones looked up concurrently. */
const BATCH = 20;
const FIELDS = 'quality_rating,throughput,whatsapp_business_manager_messaging_limit';

interface PhoneAnswer {
  readonly quality_rating?: unknown;
  readonly throughput?: { readonly level?: unknown } | null;
  readonly whatsapp_business_manager_messaging_limit?: unknown;
}

interface BusinessAnswer {
  readonly owner_business_info?: { readonly id?: unknown } | null;
}

/** Looks up each phone and its portfolio on the network once a day, and soon after a phone is added or changed. */
@Injectable()
export class PhoneFactsSweep extends Sweep {
  private readonly logger = new Logger(PhoneFactsSweep.name);
  private readonly logLines = new OncePer(HOUR);

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly network: MessagingNetwork,
  ) {
    super(2 * SECOND);
  }

  protected async sweep(): Promise<void> {
    for (;;) {
      const due = await findPhonesToLookUp(BATCH, this.unitOfWork.autocommit);
      await Promise.all(due.map((phone) => this.lookUp(phone)));
      if (due.length < BATCH) return;
    }
  }

  /** A failed look-up is repeated in an hour. */
  private async lookUp(due: DuePhone): Promise<void> {
    const { accountId, id } = due;
    try {
      if (!(await claimPhoneToLookUp(due, HOUR, this.unitOfWork.autocommit))) return;
      const phone = await this.phones.find(accountId, id);
      if (phone !== null) await this.ask(phone);
    } catch (error) {
      // Until then limits stay as they are known, and a token that has expired makes every look-up fail.
      if (this.logLines.allows(accountId)) {
        this.logger.warn(
          `could not look up phone ${id} of account ${accountId}, will retry: ${(error as Error).message}`,
        );
      }
    }
  }

  private async ask(phone: BusinessPhone): Promise<void> {
    const { accountId, id, wabaId, phoneNumberId } = phone;
    const token = await this.phones.token(phone);
    const tx = this.unitOfWork.autocommit;
    // The time of the request, so that a notice arriving meanwhile is newer. In seconds, like the times of notices.
    const toldAt = new Date(Math.floor(now().getTime() / SECOND) * SECOND);
    const get = <Answer>(path: string) => this.network.call<Answer>({ method: 'GET', path, token });
    const answer = await get<PhoneAnswer>(`/${phoneNumberId}?fields=${FIELDS}`);
    const facts = {
      quality: qualityRating(answer.quality_rating),
      throughput: upgradedThroughput(answer.throughput?.level),
      toldAt,
      lookUpAt: new Date(now().getTime() + DAY),
    };
    const { owner_business_info: owner } = await get<BusinessAnswer>(`/${wabaId}?fields=owner_business_info`);
    if (typeof owner?.id === 'string') await setPortfolio(accountId, wabaId, owner.id, tx);
    const limit = messagingLimit(answer.whatsapp_business_manager_messaging_limit);
    if (limit !== null) await setMessagingLimit(accountId, wabaId, { limit, toldAt }, tx);
    await setPhoneFacts(accountId, id, facts, STANDARD_THROUGHPUT, tx);
  }
}
