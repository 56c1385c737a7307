import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { CampaignCredits } from '../messages/campaign-credits.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { AbandonedClaims } from './abandoned-claims.service.js';
import { BatchOutcomes } from './batch-outcomes.service.js';
import { CampaignCreditsService } from './campaign-credits.service.js';
import { CampaignDispatchHandler } from './campaign-dispatch.handler.js';
import { CampaignDispatcher } from './campaign-dispatcher.service.js';
import { CampaignFailures } from './campaign-failures.service.js';
import { CampaignLifecycle } from './campaign-lifecycle.service.js';
import { CampaignPumps } from './campaign-pumps.service.js';
import { CampaignSweep } from './campaign-sweep.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsService } from './campaigns.service.js';
import { DispatchPlans } from './dispatch-plans.service.js';
import { DueCampaignsSweep } from './due-campaigns.sweep.js';
import { FailureBrake } from './failure-brake.service.js';
import { PersonalMessageMaker } from './personal-messages.service.js';
import { RecipientClaims } from './recipient-claims.service.js';
import { RecipientsController } from './recipients.controller.js';
import { RecipientsService } from './recipients.service.js';
import { ScheduledCampaignsSweep } from './scheduled-campaigns.sweep.js';
import { SendWindowSweep } from './send-window.sweep.js';

/** One template to many recipients: made over HTTP, sent by workers. */
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
        CampaignLifecycle,
        ...(roles.has('worker')
          ? [
              DispatchPlans,
              AbandonedClaims,
              PersonalMessageMaker,
              RecipientClaims,
              BatchOutcomes,
              CampaignDispatcher,
              CampaignFailures,
              CampaignDispatchHandler,
              CampaignPumps,
              CampaignSweep,
              DueCampaignsSweep,
              ScheduledCampaignsSweep,
              SendWindowSweep,
              FailureBrake,
            ]
          : []),
      ],
      exports: [CampaignCredits],
    };
  }
}
