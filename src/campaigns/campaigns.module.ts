import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { CampaignCredits } from '../messages/reports/campaign-credits.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsProcessor } from './campaigns.processor.js';
import { CampaignsService } from './campaigns.service.js';
import { AbandonedClaimsService } from './dispatch/abandoned-claims.service.js';
import { BatchOutcomesService } from './dispatch/batch-outcomes.service.js';
import { CampaignDispatcherService } from './dispatch/campaign-dispatcher.service.js';
import { CampaignPumpsService } from './dispatch/campaign-pumps.service.js';
import { DispatchPlansService } from './dispatch/dispatch-plans.service.js';
import { DueCampaignsSweep } from './dispatch/due-campaigns.sweep.js';
import { PersonalMessagesService } from './dispatch/personal-messages.service.js';
import { RecipientClaimsService } from './dispatch/recipient-claims.service.js';
import { SendWindowSweep } from './dispatch/send-window.sweep.js';
import { CampaignCreditsService } from './lifecycle/campaign-credits.service.js';
import { CampaignFailuresService } from './lifecycle/campaign-failures.service.js';
import { CampaignLifecycleService } from './lifecycle/campaign-lifecycle.service.js';
import { FailureBrakeService } from './lifecycle/failure-brake.service.js';
import { ScheduledCampaignsSweep } from './lifecycle/scheduled-campaigns.sweep.js';
import { CampaignSweep } from './progress/campaign.sweep.js';
import { RecipientsController } from './progress/recipients.controller.js';
import { RecipientsService } from './progress/recipients.service.js';

/** Campaigns: created over HTTP, sent by workers. */
@Global()
@Module({})
export class CampaignsModule {
  static register({ roles }: Environment): DynamicModule {
    return {
      module: CampaignsModule,
      imports: [TemplatesModule],
      controllers: roles.has('api') ? [CampaignsController, RecipientsController] : [],
      providers: [
        { provide: CampaignCredits, useClass: CampaignCreditsService },
        CampaignsService,
        RecipientsService,
        CampaignLifecycleService,
        ...(roles.has('worker')
          ? [
              DispatchPlansService,
              AbandonedClaimsService,
              PersonalMessagesService,
              RecipientClaimsService,
              BatchOutcomesService,
              CampaignDispatcherService,
              CampaignFailuresService,
              CampaignsProcessor,
              CampaignPumpsService,
              CampaignSweep,
              DueCampaignsSweep,
              ScheduledCampaignsSweep,
              SendWindowSweep,
              FailureBrakeService,
            ]
          : []),
      ],
      exports: [CampaignCredits],
    };
  }
}
