import { Room } from '../manifest/room.js';
import { SavedRepliesController } from './saved-replies.controller.js';
import { SAVED_REPLIES_EXAMPLES } from './saved-replies.examples.js';
import { SavedRepliesService } from './saved-replies.service.js';
import { SavedReply } from './saved-reply.entity.js';

/** Texts that people who answer customers can insert. */
@Room({
  tags: [['saved-replies', 'Texts to insert while answering']],
  examples: SAVED_REPLIES_EXAMPLES,
  entities: [SavedReply],
  controllers: [SavedRepliesController],
  providers: [SavedRepliesService],
})
export class SavedRepliesModule {}
