/**
 * What text of Western languages hardly ever has, but text of another code page has that is read as Windows-1252: three
 * characters beyond ASCII in a row (Cyrillic, Greek, Arabic, Chinese), signs within words (Polish, DOS), capitals behind
 * small letters (Macintosh), bytes that write nothing, and UTF-8.
 */
const FOREIGN =
  /[¡-ÿŠŽŒšžœŸƒˆ˜†‡‰]{3}|\p{L}[‚„”†‡‰ˆ˜¡¢£¤¥¦§¨¬¯°±²³¶¸¹»¼½¾¿ªº]\p{L}|(?<!\p{L})[£¥¯ªº¼¾³¹]\p{Ll}|\p{Ll}{3}[³¹]|\p{Ll}[ŠŽŒŸ]|\p{L}[ŠŽŸ]\p{Ll}|\ufffd|[ÂÃ][\u00a0-¿€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|[ƒ†‡ˆ‰˜][^\x00-\x7f]|‚[\u00a0-¿‚ƒ„…†‡ˆ‰]/gu;
const BEYOND_ASCII = /[^\x00-\x7f]+/g;
/** Of a hundred pieces of text beyond ASCII, as many may look foreign. */
const MAX_FOREIGN_PERCENT = 10;

/** Letters that stand for Turkish ones: ı, ş, ğ, which Turkish has beside ü and ç. Icelandic has them beside the others. */
const AS_TURKISH = /[ýþðÝÞÐ]/g;
const TURKISH = /[üçÜÇ]/g;
const ICELANDIC = /[áéíóúæÁÉÍÓÚÆ]/g;
/** As many make a file Turkish that has no letter of Turkish itself. */
const MANY_AS_TURKISH = 4;

/** Letters that stand for Czech ones: č, ě, ů, ň, ř. Languages that have these in Windows-1252 have no š, ž and ý. */
const AS_CZECH = /[èìùòøÈÌÙÒØ]/g;
const CZECH = /[šžýŠŽÝ]/g;
const LETTERS_BEYOND_ASCII = /[^\x00-\x7f\P{L}]/gu;

/**
 * Tells text in Windows-1252 from text of other code pages that is read as Windows-1252: names of Istanbul, Prague or
 * Sofia would be stored as nonsense. Languages whose letters all look alike in both, such as Hungarian, pass.
 */
export class WesternText {
  private pieces = 0;
  private foreign = 0;
  private letters = 0;
  private readonly found = { asTurkish: 0, turkish: 0, icelandic: 0, asCzech: 0, czech: 0 };

  /** Takes in the next part of the text. */
  add(text: string): void {
    this.pieces += count(text, BEYOND_ASCII);
    this.foreign += count(text, FOREIGN);
    this.letters += count(text, LETTERS_BEYOND_ASCII);
    this.found.asTurkish += count(text, AS_TURKISH);
    this.found.turkish += count(text, TURKISH);
    this.found.icelandic += count(text, ICELANDIC);
    this.found.asCzech += count(text, AS_CZECH);
    this.found.czech += count(text, CZECH);
  }

  /** Whether what was taken in makes sense. */
  isPlausible(): boolean {
    return 100 * this.foreign <= MAX_FOREIGN_PERCENT * this.pieces && !this.isTurkish() && !this.isCzech();
  }

  private isTurkish(): boolean {
    const { asTurkish, turkish, icelandic } = this.found;
    return asTurkish > 2 * icelandic && (turkish > 0 || asTurkish >= MANY_AS_TURKISH);
  }

  private isCzech(): boolean {
    const { asCzech, czech } = this.found;
    return asCzech > 0 && czech > 0 && 2 * (asCzech + czech) >= this.letters;
  }
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
