import { Injectable, type Logger } from '@nestjs/common';
import type { NetworkCopies } from '../../media/network-copies.js';
import type { InFlightRoom } from '../../runtime/in-flight-room.js';
import { Attempts } from '../../sending/attempts.js';
import type { PhoneWaits } from '../../sending/slots/phone-waits.js';
import { Throughput } from '../../sending/slots/throughput.js';
import type { CampaignEndingsService } from '../control/campaign-endings.service.js';
import type { CampaignFailuresService } from '../control/campaign-failures.service.js';
import { CampaignPlansService } from '../planning/campaign-plans.service.js';
import type { AnswerConsequencesService } from './answer-consequences.service.js';
import { GroupOutcomesService } from './group-outcomes.service.js';
import { PersonalMessagesService } from './personal-messages.service.js';
import { RecipientClaimsService } from './recipient-claims.service.js';

/** What runs send with. */
@Injectable()
export class RunServices {
  constructor(
    readonly plans: CampaignPlansService,
    readonly throughput: Throughput,
    readonly claims: RecipientClaimsService,
    readonly personal: PersonalMessagesService,
    readonly attempts: Attempts,
    readonly outcomes: GroupOutcomesService,
  ) {}
}

/** What the runs of a process work with. */
export interface RunContext
  extends Pick<RunServices, 'plans' | 'throughput' | 'claims' | 'personal' | 'attempts' | 'outcomes'> {
  readonly endings: CampaignEndingsService;
  readonly failures: CampaignFailuresService;
  readonly consequences: AnswerConsequencesService;
  readonly waits: PhoneWaits;
  readonly copies: NetworkCopies;
  readonly room: InFlightRoom;
  readonly logger: Logger;
  /** The process may be asked to send the campaign again. */
  readonly onLeft: (campaignId: string) => void;
}
