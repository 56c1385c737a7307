import { Injectable, Logger } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../accounts/business-phones.service.js';
import { coexistence, messagingLimit, qualityRating, throughputFor } from '../accounts/phone-facts.js';
import {
  claimPhoneToLookUp,
  DUE_PHONE,
  type DuePhone,
  findPhonesToLookUp,
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
const FIELDS = 'quality_rating,throughput,whatsapp_business_manager_messaging_limit,is_on_biz_app,platform_type';

interface PhoneAnswer {
  readonly quality_rating?: unknown;
  readonly throughput?: { readonly level?: unknown } | null;
  readonly whatsapp_business_manager_messaging_limit?: unknown;
  readonly is_on_biz_app?: unknown;
  readonly platform_type?: unknown;
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
    super(SECOND, { look: DUE_PHONE });
  }

  protected async sweep(): Promise<void> {
    for (;;) {
      const due = await findPhonesToLookUp(BATCH, this.unitOfWork.autocommit);
      await this.forEach(
        due,
        ({ id }) => `phone ${id}`,
        (phone) => this.lookUp(phone),
        BATCH,
      );
      if (due.length < BATCH || this.isStopping) return;
    }
  }

  /** A failed look-up is repeated in an hour. */
  private async lookUp(due: DuePhone): Promise<void> {
    const { accountId, id } = due;
    try {
      if (!(await claimPhoneToLookUp(due, HOUR, this.unitOfWork.autocommit))) return;
      const phone = await this.phones.findCurrent(accountId, id);
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
    const told = {
      isCoexisting: coexistence(answer.is_on_biz_app, answer.platform_type),
      level: answer.throughput?.level,
    };
    const facts = {
      quality: qualityRating(answer.quality_rating),
      throughput: { from: phone.throughput, to: throughputFor(phone.throughput, told) },
      messagingLimit: messagingLimit(answer.whatsapp_business_manager_messaging_limit),
      toldAt,
      lookUpAt: new Date(now().getTime() + DAY),
    };
    const { owner_business_info: owner } = await get<BusinessAnswer>(`/${wabaId}?fields=owner_business_info`);
    if (typeof owner?.id === 'string') await setPortfolio(accountId, wabaId, owner.id, tx);
    await setPhoneFacts(accountId, id, facts, tx);
  }
}
