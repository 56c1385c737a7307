import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiForbiddenResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../auth/caller.js';
import { RequiresScope } from '../../auth/scopes.js';
import { ListCursor, type WalkedList } from '../../http/list-cursor.js';
import type { ContactRef } from '../../people/contact-ref.js';
import { ContactInPath, ContactRefPipe } from '../../people/contact-ref.pipe.js';
import { TimelineQuery, TimelineResponse } from '../dto/thread-timeline.dto.js';
import { ThreadTimelineService, type TimelinePlace } from './thread-timeline.service.js';

/** The timeline of a conversation over HTTP. It lives here because messages depend on conversations, not vice versa. */
@ApiTags('conversations')
@Controller('api/v1/conversations')
export class ThreadTimelineController {
  constructor(private readonly timelines: ThreadTimelineService) {}

  @Get(':contact_phone/timeline')
  @ContactInPath()
  @RequiresScope('conversations:read')
  @ApiOperation({
    summary: 'Get the timeline of a conversation',
    description:
      'Messages, notes and changes (assigned, unassigned, resolved, reopened), newest first. Without `before`, `after` and ' +
      '`around` the newest entries. A cursor also names the business phone. Reactions are no entries. Of changes from before ' +
      'this version there are the assignments. In a conversation that is a small part of what a contact got from several ' +
      'phones, a page can hold fewer entries than `limit`: follow the cursors until they are null.',
  })
  @ApiOkResponse({ type: TimelineResponse })
  @ApiForbiddenResponse({ description: 'The business phone is not one of the account’s' })
  @ApiNotFoundResponse({ description: 'There is no such conversation, or `around` is not a message of it' })
  async timeline(
    @CurrentCaller() { accountId }: Caller,
    @Param('contact_phone', ContactRefPipe) contact: ContactRef,
    @Query() query: TimelineQuery,
  ): Promise<TimelineResponse> {
    const path = `timeline/${contact.value}`;
    const list: WalkedList = { accountId, path, filters: [['waba_phone_id', query.waba_phone_id ?? null]] };
    const { place, phoneId } = placeOf(query, list);
    const wabaPhoneId = query.waba_phone_id ?? phoneId;
    const page = await this.timelines.page(accountId, { contact, wabaPhoneId }, place, query.limit);
    return TimelineResponse.from(page, (id) => ListCursor.at([id, page.businessPhoneId], list));
  }
}

/** Where a page begins, and with a cursor the phone of its conversation: another one may be the most active by now. */
function placeOf(
  { before, after, around }: TimelineQuery,
  list: WalkedList,
): { readonly place: TimelinePlace; readonly phoneId: string | null } {
  if (around !== undefined) return { place: { kind: 'around', id: around }, phoneId: null };
  const [kind, text] = before === undefined ? (['after', after] as const) : (['before', before] as const);
  if (text === undefined) return { place: { kind: 'newest' }, phoneId: null };
  const [id, phoneId = null] = ListCursor.read(text, list, kind).after ?? [];
  return { place: id === undefined ? { kind: 'newest' } : { kind, id }, phoneId };
}
