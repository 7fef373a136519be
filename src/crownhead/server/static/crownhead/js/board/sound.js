// The sounds of the board, synthesised: wood on wood, a knock for a capture, two notes for a promotion.
// @ts-check

import { setting } from "./settings.js";

/** @type {AudioContext | undefined} */
let context;

/** Whether something is to be heard: always, never, or only what belongs to a live game. @param {boolean} live */
export function isHeard(live) {
  const chosen = setting("sound");
  return chosen === "on" || (chosen === "live" && live);
}

/** The audio context; browsers allow none before the first click or key. @param {boolean} live */
function audio(live) {
  if (!isHeard(live) || !navigator.userActivation?.hasBeenActive) return undefined;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/**
 * A note that fades away.
 * @param {AudioContext} to
 * @param {{pitch: number, endPitch?: number, at?: number, duration: number, volume: number, wave?: OscillatorType}} note
 */
function playNote(to, { pitch, endPitch = pitch, at = 0, duration, volume, wave = "sine" }) {
  const start = to.currentTime + at;
  const source = new OscillatorNode(to, { type: wave, frequency: pitch });
  source.frequency.exponentialRampToValueAtTime(endPitch, start + duration);
  const gain = new GainNode(to, { gain: 0 });
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + duration);
  source.connect(gain).connect(to.destination);
  source.start(start);
  source.stop(start + duration);
}

/**
 * The sounds of a move: one for each hop, one for each capture.
 * @param {{hops: number, takes: number, crowned: boolean, hop: number}} move  `hop`: how long each lasts, in seconds
 */
export function playMoveSound({ hops, takes, crowned, hop }) {
  const to = audio(document.querySelector("[data-live-game]") !== null);
  if (!to) return;
  for (let index = 0; index < hops; index += 1) {
    const at = index * hop;
    playNote(to, { pitch: 240, endPitch: 90, at, duration: 0.07, volume: 0.25 });
    if (index < takes) playNote(to, { pitch: 520, endPitch: 180, at: at + 0.03, duration: 0.09, volume: 0.18, wave: "triangle" });
  }
  if (!crowned) return;
  playNote(to, { pitch: 660, at: hops * hop, duration: 0.25, volume: 0.12 });
  playNote(to, { pitch: 880, at: hops * hop + 0.09, duration: 0.35, volume: 0.12 });
}

/** The sound of a live game that starts. */
export function playStartSound() {
  const to = audio(true);
  if (!to) return;
  for (const [index, pitch] of [523, 659, 784].entries()) playNote(to, { pitch, at: index * 0.1, duration: 0.2, volume: 0.15, wave: "triangle" });
}

/** The sound of a clock of a live game that is running short. */
export function playWarningSound() {
  const to = audio(true);
  if (!to) return;
  for (const at of [0, 0.15]) playNote(to, { pitch: 880, at, duration: 0.12, volume: 0.15, wave: "square" });
}
