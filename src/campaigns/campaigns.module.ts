import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { CampaignProgress } from '../messages/campaign-progress.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { CampaignDispatchHandler } from './campaign-dispatch.handler.js';
import { CampaignDispatcher } from './campaign-dispatcher.service.js';
import { CampaignLifecycle } from './campaign-lifecycle.service.js';
import { CampaignProgressService } from './campaign-progress.service.js';
import { CampaignSweep } from './campaign-sweep.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsService } from './campaigns.service.js';
import { DispatchPlans } from './dispatch-plans.service.js';
import { RecipientClaims } from './recipient-claims.service.js';

/** One template to many recipients: made over HTTP, sent by workers. */
@Global()
@Module({})
export class CampaignsModule {
  static register({ roles }: Environment): DynamicModule {
    return {
      module: CampaignsModule,
      imports: [TemplatesModule],
      controllers: roles.has('api') ? [CampaignsController] : [],
      providers: [
        { provide: CampaignProgress, useClass: CampaignProgressService },
        CampaignsService,
        CampaignLifecycle,
        ...(roles.has('worker')
          ? [DispatchPlans, RecipientClaims, CampaignDispatcher, CampaignDispatchHandler, CampaignSweep]
          : []),
      ],
      exports: [CampaignProgress],
    };
  }
}
