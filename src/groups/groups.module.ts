import { Room } from '../manifest/room.js';
import { ContactGroup } from './contact-group.entity.js';
import { DeletedGroupsSweep } from './deleted-groups.sweep.js';
import { GroupMember } from './group-member.entity.js';
import { GroupsController } from './groups.controller.js';
import { GROUPS_EXAMPLES } from './groups.examples.js';
import { GroupsService } from './groups.service.js';

/** Named sets of contacts. */
@Room({
  areas: ['groups'],
  tags: [['groups', 'Named sets of contacts']],
  examples: GROUPS_EXAMPLES,
  entities: [ContactGroup, GroupMember],
  personalData: { covered: ['group_members'] },
  controllers: [GroupsController],
  providers: [GroupsService],
  worker: [DeletedGroupsSweep],
  exports: [GroupsService],
})
export class GroupsModule {}
