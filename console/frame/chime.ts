/** Two notes, hertz, with when each begins, seconds. */
const NOTES = [
  { pitch: 659.3, at: 0 },
  { pitch: 880, at: 0.12 },
] as const;
const LENGTH_S = 0.22;
/** Of the loudest that a device can. */
const LOUDNESS = 0.05;

let sound: AudioContext | null = null;

/** Plays two short, quiet notes; nothing where the browser does not let pages play. */
export function chime(): void {
  if (!('AudioContext' in window)) return;
  sound ??= new AudioContext();
  void sound.resume().catch(() => undefined);
  for (const { pitch, at } of NOTES) {
    const [tone, volume] = [sound.createOscillator(), sound.createGain()];
    const begin = sound.currentTime + at;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(LOUDNESS, begin + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, begin + LENGTH_S);
    tone.connect(volume).connect(sound.destination);
    tone.start(begin);
    tone.stop(begin + LENGTH_S);
  }
}
