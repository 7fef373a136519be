// The sounds of the board, made on the spot: wood on wood, a knock for what is taken, two notes for a crown.
// @ts-check

import { setting } from "./settings.js";

/** @type {AudioContext | undefined} */
let context;

/** Browsers let nothing be heard before the visitor has done something. */
function audio() {
  if (setting("sound") !== "on" || !navigator.userActivation?.hasBeenActive) return undefined;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/**
 * A note that fades away.
 * @param {AudioContext} to
 * @param {{pitch: number, falls?: number, at?: number, lasts: number, loud: number, wave?: OscillatorType}} note
 */
function sound(to, { pitch, falls = pitch, at = 0, lasts, loud, wave = "sine" }) {
  const begins = to.currentTime + at;
  const source = new OscillatorNode(to, { type: wave, frequency: pitch });
  source.frequency.exponentialRampToValueAtTime(falls, begins + lasts);
  const volume = new GainNode(to, { gain: 0 });
  volume.gain.setValueAtTime(loud, begins);
  volume.gain.exponentialRampToValueAtTime(0.001, begins + lasts);
  source.connect(volume).connect(to.destination);
  source.start(begins);
  source.stop(begins + lasts);
}

/**
 * A piece moves: it is put down after each hop, and what it takes is knocked off.
 * @param {{hops: number, takes: number, crowned: boolean, hop: number}} move  `hop`: how long each lasts, in seconds
 */
export function moved({ hops, takes, crowned, hop }) {
  const to = audio();
  if (!to) return;
  for (let index = 0; index < hops; index += 1) {
    const at = index * hop;
    sound(to, { pitch: 240, falls: 90, at, lasts: 0.07, loud: 0.25 });
    if (index < takes) sound(to, { pitch: 520, falls: 180, at: at + 0.03, lasts: 0.09, loud: 0.18, wave: "triangle" });
  }
  if (!crowned) return;
  sound(to, { pitch: 660, at: hops * hop, lasts: 0.25, loud: 0.12 });
  sound(to, { pitch: 880, at: hops * hop + 0.09, lasts: 0.35, loud: 0.12 });
}
