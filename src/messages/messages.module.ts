import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { ConversationMessagesController } from './history/conversation-messages.controller.js';
import { MessageHistoryService } from './history/message-history.service.js';
import { MessagesController } from './messages.controller.js';
import { MessageSweep } from './reports/message.sweep.js';
import { MessageReportsService } from './reports/message-reports.service.js';
import { FreeFormSenderService } from './sending/free-form-sender.service.js';
import { OutcomeRecorder } from './sending/outcome-recorder.js';
import { SenderPhoneService } from './sending/sender-phone.service.js';
import { SendingMediaService } from './sending/sending-media.service.js';
import { SingleIntentsService } from './sending/single-intents.service.js';
import { SingleSenderService } from './sending/single-sender.service.js';
import { TemplateSenderService } from './sending/template-sender.service.js';

/** Single sends, and the reports about all messages. A module above must provide {@link CampaignCredits}. */
@Global()
@Module({})
export class MessagesModule {
  static register({ roles }: Environment): DynamicModule {
    return {
      module: MessagesModule,
      imports: [TemplatesModule],
      controllers: roles.has('api') ? [MessagesController, ConversationMessagesController] : [],
      providers: [
        MessageReportsService,
        OutcomeRecorder,
        SingleIntentsService,
        SingleSenderService,
        SendingMediaService,
        SenderPhoneService,
        TemplateSenderService,
        MessageHistoryService,
        FreeFormSenderService,
        ...(roles.has('worker') ? [MessageSweep] : []),
      ],
      exports: [
        MessageReportsService,
        OutcomeRecorder,
        SendingMediaService,
        SenderPhoneService,
        SingleIntentsService,
        SingleSenderService,
      ],
    };
  }
}
