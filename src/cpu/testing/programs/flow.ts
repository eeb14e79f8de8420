/** Branches, loops and functions. */
import { program } from './program.ts';

export const FLOW = [
  program(
    'counters that wrap, or that the body changes, leave their range',
    `for (var k = 4294967290u; k < 4294967295u; k += 3) { if (k < 5) { out[0] += 1; break; } out[0] += 10; }
     var a = array<u32, 4>(1, 2, 3, 4); var b = array<u32, 2>(7, 8);
     for (var k = 0u; k < 2; k++) { k += input[k + 1]; b[1] += 1; out[1] = a[min(k, 3u)] + 100 * b[k]; }
     for (var k = 0u; k < 40; k++) { k = k * 3 + 5; if (k > 39) { out[2] = k; } }`,
    [21, 2 + 100 * 9, 77],
  ),
  program(
    'loops of every kind, with break and continue',
    `var n = 0u; var i = 0u;
     while (i < 10) { i++; if (i % 2 == 0) { continue; } if (i > 7) { break; } n += i; }
     out[0] = n; out[1] = i; n = 0u;
     loop { n += 3; if (n > 10) { break; } } out[2] = n;
     for (var a = 0; a < 3; a++) { for (var b = 5; b > a; b--) { if (b == 4) { continue; } if (a == 1) { break; } n += 1; } }
     out[3] = n; for (;;) { n -= 1; if (n < 5) { break; } } out[4] = n;
     var k = 0u; for (; k < 9; k += 4) {} out[5] = k; for (var m = 0u; m < 0; m++) { out[5] = 99; }
     for (var j = 10u; j > 0; j >>= 1u) { k += j; } out[6] = k;`,
    [1 + 3 + 5 + 7, 9, 12, 12 + 4 + 2, 4, 12, 12 + 10 + 5 + 2 + 1],
  ),
  program(
    'early return in nested control flow',
    `for (var i = 0u; i < 8u; i++) { out[i] = found(i); } if (out[7] == 3) { out[8] = 1; return; } out[8] = 2;`,
    [100, 100, 102, 3, 3, 3, 3, 3, 1],
    {
      globals: `
fn found(n: u32) -> u32 {
  for (var i = 0u; i < 4u; i++) {
    if (i == n) {
      if (n == 3) { return i; }
      var j = 0u;
      loop { if (j == n) { if (j == 2) { return 100 + j; } else { break; } } j += 1; }
      return 100;
    }
  }
  return 3;
}`,
    },
  ),
  program(
    'shadowed names',
    `let x = 1u; var y = 10u; { let x = 2u; y += x; { var y = 100u; y += x; out[0] = y; } }
     for (var x = 5u; x < 6; x++) { y += x; let y = 7u; out[1] = y + x; } out[2] = x; out[3] = y; out[4] = g(3);
     var i = 2u; for (var i = i + 1; i < 5u; i++) { out[5] = out[5] * 10 + i; } out[6] = i; { let gid = 5u; out[7] = gid; }`,
    [102, 12, 1, 17, 13, 34, 2, 5],
    { globals: 'const x = 10;\nfn g(y: u32) -> u32 { return x + y; }' },
  ),
  program(
    'what is assigned in branches and loops is known behind them',
    `var a = 1u; var v = vec4f(1); if (input[1] == 1) { a = 2; v.x = 5.0; } else { a = 3; } out[0] = a; out[1] = u32(v.x + v.y);
     var b = 1u; for (var i = 0u; i < 3; i++) { b = b * 2 + a; a += 1; } out[2] = b; out[3] = a;
     var c = 4u; loop { if (c == 0) { break; } c -= 1; } out[4] = c; var d = 9u; if (false) { d = 1; } out[5] = d;
     var e = vec2u(1, 2); if (input[1] == 1) { e = e.yx; e.x += 5; } out[6] = e.x * 10 + e.y;
     let before = a; a = 77; out[7] = before; out[8] = a;`,
    [2, 6, 26, 5, 0, 9, 71, 5, 77],
  ),
  program(
    'ranges of loop counters: what the body and the bounds change',
    `var n = 3u; var t = 0u; for (var i = 0u; i < n; i++) { if (i == 1) { n = 6; } t += i; } out[0] = t;
     t = 0; for (var i = 0u; i < 10; i++) { i += 2; t += i; } out[1] = t; t = 0;
     for (var i = 4294967290u; i < 4294967295u; i += 2) { t += 1; if (t > 5) { break; } } out[2] = t;
     for (var i = 2u; i < 5; i += 2) { t = i * 2; } out[3] = t; t = 0; for (var i = -2; i < 2; i++) { t += u32(i + 3); } out[4] = t;
     t = 0; for (var i = 5u; i < 4000000000u; i += 2147483650u) { t += 1; if (i < 5) { out[6] = i; } if (t == 4) { break; } }
     out[5] = t; let end = min(input[7], 4u); t = 0; for (var i = 0u; i < end; i++) { t = t * 10 + input[i]; } out[7] = t;`,
    [15, 2 + 5 + 8 + 11, 6, 8, 1 + 2 + 3 + 4, 4, 0, 123],
  ),
  program(
    'short loops, whose bodies and bounds do what forbids to write them out',
    `var n = 2u; for (var i = 0u; i < n; i++) { if (i == 1 && n == 2) { n = 4; } out[0] = out[0] * 10 + i; }
     for (var i = 0u; i < 4u - i; i++) { out[1] += 1; }
     for (var i = next(); i < 3u; i++) { out[2] += 1; } for (var i = 0u; i < 2u + next(); i++) { out[3] += 1; }
     for (var i = 0u; i < 4; i++) { if (i == 1) { continue; } if (i == 3) { break; } out[5] = out[5] * 10 + i; }
     for (var i = 0u; i < 2; i++) { for (var j = i; j < 3; j++) { if (j == 2) { break; } out[6] = out[6] * 100 + i * 10 + j; } }
     var step = 1u; for (var i = 0u; i < 4; i += step) { step = 3; out[7] = out[7] * 10 + i; } out[8] = first(2);`,
    [123, 2, 3, 2, 4, 2, 111, 3, 20],
    {
      globals: `fn next() -> u32 { out[4] += 1; return 0u; }
fn first(n: u32) -> u32 { for (var i = 0u; i < 3; i++) { if (i == n) { return i * 10; } } return 7u; }`,
    },
  ),
  program(
    'the right side of && and || runs only where it decides',
    `if (input[0] == 1 && changed(1u)) { out[4] = 1; } if (input[0] == 0 || changed(2u)) { out[5] = 1; }
     let a = input[1] == 1 && changed(4u); let b = input[1] == 5 || changed(8u); out[6] = u32(a) + 2 * u32(b);
     if ((input[1] == 0 && changed(16u)) || (input[1] == 1 && changed(32u))) { out[7] = 1; }`,
    [4 + 8 + 32, 0, 0, 0, 0, 1, 3, 1],
    { globals: 'fn changed(by: u32) -> bool { out[0] += by; return true; }' },
  ),
  program(
    'functions that write to memory, inside expressions, run once and in order',
    `out[1] = next() * 100 + next() * 10 + next(); out[2] = out[0] + next() + out[0];
     let v = vec3u(next(), out[0], next()); out[3] = v.x * 100 + v.y * 10 + v.z;
     let pair = vec2u(2, 3) * vec2u(next(), next()); out[4] = pair.x * 100 + pair.y;
     out[5] = table[next() & 1].yx.x; out[6] = out[0]; out[5 + next() - 8] += next();
     out[0] = 1; out[0] += next(); out[8] = out[0]; out[9] = max(next(), next());`,
    [5, 123, 3 + 4 + 4, 5 * 100 + 5 * 10 + 6, 14 * 100 + 24, 0, 9, 11, 3, 5],
    {
      globals: `
struct Pairs { list: array<vec2u, 2> }
var<workgroup> table: array<vec2u, 2>;
fn next() -> u32 { out[0] += 1; return out[0]; }`,
    },
  ),
  program(
    'functions that call others that write, wherever the call stands',
    `out[1] = out[0] * 100 + assigned() * 10 + out[0]; out[2] = out[0] * 100 + declared() * 10 + out[0];
     out[3] = out[0] * 100 + looped() * 10 + out[0]; out[4] = out[0] * 100 + indexed() * 10 + out[0];`,
    [4, 11, 122, 233, 344],
    {
      globals: `
fn next() -> u32 { out[0] += 1; return out[0]; }
fn assigned() -> u32 { var x = 0u; x = next(); return x; }
fn declared() -> u32 { let x = next(); return x; }
fn looped() -> u32 { var x = 0u; for (var i = next(); i < 1; i++) { x = 1; } return out[0]; }
fn indexed() -> u32 { var list = array<u32, 8>(); list[next()] = 1; return out[0]; }`,
    },
  ),
  program(
    'functions in functions, with and without results',
    `add(1u, 5u); add(1u, twice(twice(3u))); out[0] = larger(out[1], 4u); out[2] = larger(2u, 4u);
     let r = parts(7.75); out[3] = u32(r.x); out[4] = u32(r.y * 4.0); _ = twice(4u);`,
    [17, 17, 4, 7, 3],
    {
      globals: `
fn twice(x: u32) -> u32 { return x + x; }
fn add(i: u32, x: u32) { if (x == 0) { return; } out[i] += x; }
fn larger(a: u32, b: u32) -> u32 { if (a > b) { return a; } return b; }
fn parts(x: f32) -> vec2f { let whole = floor(x); return vec2(whole, x - whole); }`,
    },
  ),
];
