import { ApiProperty } from '@nestjs/swagger';
import { SuccessResponse } from '../../http/responses.dto.js';
import { UPLOAD_TYPES } from '../incoming-upload.js';
import type { UploadedFile } from '../uploaded-file.entity.js';

/** A file that was uploaded. */
export class UploadRecord {
  @ApiProperty({ format: 'uuid', description: 'What sends and templates take as `media_id`' })
  id: string;

  @ApiProperty({ enum: UPLOAD_TYPES, example: 'image/jpeg' })
  mime_type: string;

  @ApiProperty({ type: 'integer', description: 'Bytes' })
  size: number;

  @ApiProperty({
    format: 'date-time',
    description: 'From then on only campaigns that use the file already can send it',
  })
  expires_at: string;

  static from({ id, mimeType, size, expiresAt }: UploadedFile): UploadRecord {
    return { id, mime_type: mimeType, size, expires_at: expiresAt.toISOString() };
  }
}

/** Response of `POST /api/v1/media`. */
export class UploadResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty()
  media: UploadRecord;

  static from(file: UploadedFile): UploadResponse {
    return { status: 'success', message: 'File uploaded', media: UploadRecord.from(file) };
  }
}
