import { Room } from '../manifest/room.js';
import type { CampaignLooks } from './history/campaign-looks.js';
import { ConversationMessagesController } from './history/conversation-messages.controller.js';
import { MESSAGE_CHANGE_EVENTS } from './history/message-change.events.js';
import { MessageFileService } from './history/message-file.service.js';
import { MessageHistoryService } from './history/message-history.service.js';
import { ThreadTimelineController } from './history/thread-timeline.controller.js';
import { ThreadTimelineService } from './history/thread-timeline.service.js';
import { Message } from './message.entity.js';
import { MessageFileController } from './message-file.controller.js';
import { MessagesController } from './messages.controller.js';
import { MESSAGE_EVENTS } from './messages.events.js';
import { MESSAGES_EXAMPLES } from './messages.examples.js';
import { NetworkMessage } from './network-message.entity.js';
import { MessageReportsService } from './outcomes/message-reports.service.js';

/** The record of each message, and what has become of it. A module above must provide {@link CampaignCredits} and {@link CampaignLooks}. */
@Room({
  areas: ['messages'],
  tags: [['messages', 'Single messages, and the history of all']],
  examples: MESSAGES_EXAMPLES,
  entities: [Message, NetworkMessage],
  personalData: { covered: ['messages', 'network_messages'] },
  kept: { network_messages: 'as long as its messages' },
  events: [...MESSAGE_EVENTS, ...MESSAGE_CHANGE_EVENTS],
  controllers: [MessagesController, MessageFileController, ConversationMessagesController, ThreadTimelineController],
  providers: [MessageFileService, MessageReportsService, MessageHistoryService, ThreadTimelineService],
  exports: [MessageHistoryService, MessageReportsService, ThreadTimelineService],
})
export class MessagesModule {}
