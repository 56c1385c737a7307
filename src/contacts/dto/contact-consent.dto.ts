import { ApiProperty } from '@nestjs/swagger';
import type { EnteredDecision } from '../../consent/consent.service.js';
import { EVIDENCE_KINDS } from '../../consent/decision.js';
import type { PageQuery } from '../../http/page.dto.js';
import { PagedResponse } from '../../http/responses.dto.js';
import type { Paged } from '../../values/page.js';

/** What proves a decision. */
export class ConsentEvidenceRecord {
  @ApiProperty({ enum: EVIDENCE_KINDS })
  kind: string;

  @ApiProperty({
    description:
      'Of a message its id; of a callback or request its request id; of an import the request id and the line, joined ' +
      'by a colon; of a merge the id of the contact that was merged',
  })
  id: string;
}

/** A decision about marketing messages. */
export class ConsentDecisionRecord {
  @ApiProperty({ enum: ['in', 'out'] })
  decision: string;

  @ApiProperty({
    enum: ['person', 'network', 'account'],
    description: 'The contact, by a text or tap; the network on their behalf; or the account, by API, file or command',
  })
  by: string;

  @ApiProperty({ type: ConsentEvidenceRecord, nullable: true })
  evidence: ConsentEvidenceRecord | null;

  @ApiProperty({ format: 'date-time' })
  at: string;
}

/** A page of the decisions about a contact, the latest first. */
export class ContactConsentResponse extends PagedResponse {
  @ApiProperty({ type: [ConsentDecisionRecord] })
  consent: ConsentDecisionRecord[];

  static from(paged: Paged<EnteredDecision>, query: PageQuery): ContactConsentResponse {
    return {
      status: 'success',
      consent: paged.rows.map(({ optedIn, by, evidence, at }) => ({
        decision: optedIn ? 'in' : 'out',
        by,
        evidence,
        at: at.toISOString(),
      })),
      ...PagedResponse.paging(paged, query),
    };
  }
}
