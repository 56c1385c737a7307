import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { AccountNoticesService } from './account-notices.service.js';
import { AutomaticRepliesService } from './automatic-replies.service.js';
import { CallbacksController } from './callbacks.controller.js';
import { CallbacksService } from './callbacks.service.js';
import { InboundMessagesService } from './inbound-messages.service.js';
import { ParkedReportsSweep } from './parked-reports.sweep.js';
import { ReportIntakeService } from './report-intake.service.js';
import { TemplateDecisionsService } from './template-decisions.service.js';

/** Receives the network's callbacks: verifies and batches them, and hands their items to the modules they concern. */
@Module({})
export class InboundModule {
  static register({ roles }: Environment): DynamicModule {
    return {
      module: InboundModule,
      imports: [ContactsModule, ConversationsModule, TemplatesModule],
      controllers: roles.has('api') ? [CallbacksController] : [],
      providers: [
        ReportIntakeService,
        InboundMessagesService,
        AutomaticRepliesService,
        TemplateDecisionsService,
        AccountNoticesService,
        CallbacksService,
        ...(roles.has('worker') ? [ParkedReportsSweep] : []),
      ],
    };
  }
}
