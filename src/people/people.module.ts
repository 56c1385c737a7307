import { Room } from '../manifest/room.js';
import { Contact } from './contact.entity.js';
import { IdentityTask } from './identity-task.entity.js';
import { IdentityTasksSweep } from './identity-tasks.sweep.js';
import { LearnedIdentitiesService } from './learned-identities.service.js';

/** Who a person is: numbers and their spellings, the network's ids, and contacts that turn out to be one. */
@Room({
  entities: [Contact, IdentityTask],
  personalData: {
    covered: ['contacts'],
    exempt: { identity_tasks: 'names contacts and nothing about them' },
  },
  kept: { identity_tasks: 'until done, five minutes after a merge' },
  providers: [LearnedIdentitiesService],
  worker: [IdentityTasksSweep],
  exports: [LearnedIdentitiesService],
})
export class PeopleModule {}
