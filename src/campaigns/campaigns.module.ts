import { Room } from '../manifest/room.js';
import { UploadUsers } from '../media/upload-users.js';
import { CampaignLooks } from '../messages/history/campaign-looks.js';
import { CampaignCredits } from '../messages/outcomes/campaign-credits.js';
import { Stops } from '../sending/stops.js';
import { TemplateUsers } from '../templates/template-users.js';
import { Campaign } from './campaign.entity.js';
import { CampaignRecipient } from './campaign-recipient.entity.js';
import { CampaignsController } from './campaigns.controller.js';
import { CAMPAIGNS_EXAMPLES } from './campaigns.examples.js';
import { CAMPAIGN_DISPATCH } from './campaigns.jobs.js';
import { CampaignsProcessor } from './campaigns.processor.js';
import { CampaignsService } from './campaigns.service.js';
import { CampaignControlService } from './control/campaign-control.service.js';
import { CampaignEndingsService } from './control/campaign-endings.service.js';
import { CampaignFailuresService } from './control/campaign-failures.service.js';
import { CampaignStopsService } from './control/campaign-stops.service.js';
import { FailureBrakeService } from './control/failure-brake.service.js';
import { LongWaitsSweep } from './control/long-waits.sweep.js';
import { RepeatedCodesService } from './control/repeated-codes.service.js';
import { ScheduledCampaignsSweep } from './control/scheduled-campaigns.sweep.js';
import { SendWindowSweep } from './control/send-window.sweep.js';
import { SettledCodesSweep } from './control/settled-codes.sweep.js';
import { settleCredits } from './planning/campaign-credits.queries.js';
import { CampaignPlansService } from './planning/campaign-plans.service.js';
import { findUsedUploads, findUsersOfTemplate } from './planning/campaign-source.queries.js';
import { looksOfMessages } from './progress/campaign-looks.js';
import { RecipientsController } from './progress/recipients.controller.js';
import { RecipientsService } from './progress/recipients.service.js';
import { AbandonedClaimsService } from './run/abandoned-claims.service.js';
import { AnswerConsequencesService } from './run/answer-consequences.service.js';
import { CampaignSweep } from './run/campaign.sweep.js';
import { CampaignPumpsService } from './run/campaign-pumps.service.js';
import { DueCampaignsSweep } from './run/due-campaigns.sweep.js';
import { GroupOutcomesService } from './run/group-outcomes.service.js';
import { PersonalMessagesService } from './run/personal-messages.service.js';
import { RecipientClaimsService } from './run/recipient-claims.service.js';
import { RunServices } from './run/run-services.js';

/** Campaigns: created over HTTP, sent by workers. */
@Room({
  areas: ['campaigns'],
  tags: [['campaigns', 'One template to many recipients']],
  examples: CAMPAIGNS_EXAMPLES,
  entities: [Campaign, CampaignRecipient],
  personalData: { covered: ['campaign_recipients'] },
  kept: { campaigns: 'as long as its recipients' },
  jobs: [CAMPAIGN_DISPATCH],
  controllers: [CampaignsController, RecipientsController],
  providers: [
    { provide: CampaignCredits, useValue: { settle: settleCredits } satisfies CampaignCredits },
    { provide: CampaignLooks, useValue: { of: looksOfMessages } satisfies CampaignLooks },
    { provide: TemplateUsers, useValue: { find: findUsersOfTemplate } satisfies TemplateUsers },
    { provide: UploadUsers, useValue: { used: findUsedUploads } satisfies UploadUsers },
    CampaignsService,
    RecipientsService,
    CampaignPlansService,
    CampaignEndingsService,
    CampaignControlService,
    RepeatedCodesService,
    { provide: Stops, useClass: CampaignStopsService },
  ],
  worker: [
    AbandonedClaimsService,
    PersonalMessagesService,
    RecipientClaimsService,
    GroupOutcomesService,
    AnswerConsequencesService,
    RunServices,
    CampaignFailuresService,
    CampaignsProcessor,
    CampaignPumpsService,
    CampaignSweep,
    DueCampaignsSweep,
    ScheduledCampaignsSweep,
    SendWindowSweep,
    SettledCodesSweep,
    LongWaitsSweep,
    FailureBrakeService,
  ],
  exports: [CampaignCredits, CampaignLooks, CampaignsService, Stops, TemplateUsers, UploadUsers],
})
export class CampaignsModule {}
