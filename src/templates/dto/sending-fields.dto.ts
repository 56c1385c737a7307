import { ApiProperty } from '@nestjs/swagger';
import { MAX_URL_CHARACTERS } from '../../egress/url-rules.js';
import { Id, isAbsent, NumberBetween, Optional, Text, WholeNumber } from '../../http/field-rules.js';
import { ObjectList, ObjectOf, TextList, TextMap } from '../../http/list-rules.js';
import { bothNamed } from '../../media/media.errors.js';
import {
  type ButtonInput,
  type CardInput,
  type LocationInput,
  MAX_COUPON,
  MAX_PAYLOAD,
  MAX_URL_SUFFIX,
  type MediaInput,
  type SendingInput,
} from '../rendering/sending-input.js';
import { MAX_BUTTONS } from '../template.js';

/** The latest time a Date can hold, milliseconds. */
const LAST_TIME = 8_640_000_000_000_000;
const MAX_CARDS = 10;
/** The network's limit. */
const MAX_FILENAME = 240;
/** Degrees, in either direction. */
const MAX_LATITUDE = 90;
const MAX_LONGITUDE = 180;
/** Characters of a place's name or address. */
const MAX_PLACE = 1024;
/** Values of one kind on a card. */
const MAX_CARD_VALUES = 2;
/** What the field is that names an uploaded file. */
const MEDIA_ID = 'Instead of `media_url`: the id of a file from `POST /api/v1/media`';

/** Parameters of one button. */
export class ButtonParamField {
  @ApiProperty({ description: 'Position of the button in the template, from 0' })
  @WholeNumber(0, MAX_BUTTONS - 1)
  index: number;

  @ApiProperty({ description: 'Required for a URL button with {{1}}; is sent percent-encoded' })
  @Optional()
  @Text({ max: MAX_URL_SUFFIX, blank: true })
  url_param?: string;

  @ApiProperty({ description: 'For a quick reply; default: its text' })
  @Optional()
  @Text({ max: MAX_PAYLOAD, blank: true })
  payload?: string;

  @ApiProperty({ description: 'For COPY_CODE; default: the template’s code' })
  @Optional()
  @Text({ max: MAX_COUPON, blank: true })
  coupon_code?: string;

  static input({ index, url_param, payload, coupon_code }: ButtonParamField): ButtonInput {
    return { index, urlParam: url_param ?? null, payload: payload ?? null, couponCode: coupon_code ?? null };
  }

  static from({ index, urlParam, payload, couponCode }: ButtonInput): ButtonParamField {
    return {
      index,
      ...(urlParam === null ? {} : { url_param: urlParam }),
      ...(payload === null ? {} : { payload }),
      ...(couponCode === null ? {} : { coupon_code: couponCode }),
    };
  }
}

/** Where a LOCATION header points. */
export class LocationField {
  @NumberBetween(-MAX_LATITUDE, MAX_LATITUDE)
  latitude: number;

  @NumberBetween(-MAX_LONGITUDE, MAX_LONGITUDE)
  longitude: number;

  @Optional()
  @Text({ max: MAX_PLACE, blank: true })
  name?: string;

  @Optional()
  @Text({ max: MAX_PLACE, blank: true })
  address?: string;

  static input({ latitude, longitude, name, address }: LocationField): LocationInput {
    return { latitude, longitude, name: name || null, address: address || null };
  }

  static from({ latitude, longitude, name, address }: LocationInput): LocationField {
    return { latitude, longitude, ...(name === null ? {} : { name }), ...(address === null ? {} : { address }) };
  }
}

/** Fields that name a file; exactly one of them may be given. */
interface MediaFields {
  readonly media_url?: string;
  readonly media_id?: string;
}

/** @param path of the object that has the fields, with a dot behind it @throws DomainError 400 when it has both */
function mediaInput({ media_url, media_id }: MediaFields, path = ''): MediaInput {
  const url = media_url ?? null;
  if (isAbsent(media_id)) return { mediaUrl: url };
  if (url !== null && url.trim() !== '') throw bothNamed(path);
  return { mediaUrl: null, mediaId: media_id };
}

/** One card of a carousel. */
export class CarouselEntryField {
  @ApiProperty({ description: 'Publicly accessible URL' })
  @Optional()
  @Text({ max: MAX_URL_CHARACTERS, blank: true })
  media_url?: string;

  @ApiProperty({ description: MEDIA_ID })
  @Optional()
  @Id()
  media_id?: string;

  @ApiProperty({ description: 'One per URL button with {{1}}; is sent percent-encoded' })
  @Optional()
  @TextList(MAX_CARD_VALUES, MAX_URL_SUFFIX)
  url_button_params?: string[];

  @ApiProperty({ description: 'One per quick reply; default: its text' })
  @Optional()
  @TextList(MAX_CARD_VALUES, MAX_PAYLOAD)
  button_payloads?: string[];

  static input(entry: CarouselEntryField, index: number): CardInput {
    return {
      ...mediaInput(entry, `carousel_data[${index}].`),
      urlButtonParams: entry.url_button_params ?? [],
      buttonPayloads: entry.button_payloads ?? [],
    };
  }

  static from({ mediaUrl, mediaId, urlButtonParams, buttonPayloads }: CardInput): CarouselEntryField {
    return {
      ...(mediaUrl === null ? {} : { media_url: mediaUrl }),
      ...(mediaId === undefined ? {} : { media_id: mediaId }),
      url_button_params: [...urlButtonParams],
      button_payloads: [...buttonPayloads],
    };
  }
}

/** The fields that fill in a template except its body; shared by single sends, campaigns and previews. */
export class FillingFields {
  @ApiProperty({ description: 'Value for the variable of a TEXT header' })
  @Optional()
  @TextMap()
  header_data?: Record<string, string>;

  @ApiProperty({
    description:
      'Required if the header is IMAGE, VIDEO or DOCUMENT, unless `media_id` is given; served under the Content-Type of an ' +
      'accepted format',
  })
  @Optional()
  @Text({ max: MAX_URL_CHARACTERS, blank: true })
  media_url?: string;

  @ApiProperty({ description: MEDIA_ID })
  @Optional()
  @Id()
  media_id?: string;

  @ApiProperty({
    description:
      'For documents; default: the last part of the path of `media_url` or the name of the upload, or `document` and the extension of ' +
      'its type',
  })
  @Optional()
  @Text({ max: MAX_FILENAME, blank: true })
  filename?: string;

  @ApiProperty({ description: 'Required if the header is LOCATION' })
  @Optional()
  @ObjectOf(LocationField)
  location?: LocationField;

  @Optional()
  @ObjectList(ButtonParamField, { max: MAX_BUTTONS })
  button_params?: ButtonParamField[];

  @ApiProperty({ description: 'Required for carousels: one entry per card, in card order' })
  @Optional()
  @ObjectList(CarouselEntryField, { max: MAX_CARDS })
  carousel_data?: CarouselEntryField[];

  @ApiProperty({ description: 'Required for limited-time offers: epoch milliseconds, in the future' })
  @Optional()
  @WholeNumber(1, LAST_TIME)
  expiration_time_ms?: number;

  protected toFilling(): Omit<SendingInput, 'bodyData'> {
    return {
      headerData: this.header_data ?? {},
      ...mediaInput(this),
      filename: this.filename?.trim() || null,
      location: this.location ? LocationField.input(this.location) : null,
      buttonParams: this.button_params?.map(ButtonParamField.input) ?? [],
      carouselData: this.carousel_data?.map(CarouselEntryField.input) ?? null,
      expirationTimeMs: this.expiration_time_ms ?? null,
    };
  }
}

/** The fields that fill in a template on single sends and previews. */
export class SendingFields extends FillingFields {
  @ApiProperty({
    description: 'One value per body variable; required if the body has variables',
    example: { '1': 'Ada' },
  })
  @Optional()
  @TextMap()
  body_data?: Record<string, string>;

  toSendingInput(): SendingInput {
    return { ...this.toFilling(), bodyData: this.body_data ?? {} };
  }
}
