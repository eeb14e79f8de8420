/** Programs of constants, numbers and vectors. */
import { bits } from '../run-shader.ts';
import { F, program, range } from './program.ts';

export const CONSTANTS = [
  program(
    'constants have the type that they are used as',
    `out[0] = f(1); out[1] = f(0.5 + 1); out[2] = f(7 / 2); out[3] = f(7 / 2.0);
     out[4] = 0x7fc00000u; out[5] = 5u % 3; out[6] = f(1e3f); out[7] = f(0x1.8p-1); out[8] = 0xFFu;
     let x = 3; out[9] = u32(x << 2); out[10] = f(f32(x) * 2); out[11] = f(.5); out[12] = f(2.);`,
    [
      bits(1),
      bits(1.5),
      bits(3),
      bits(3.5),
      0x7fc00000,
      2,
      bits(1000),
      bits(0.75),
      255,
      12,
      bits(6),
      bits(0.5),
      bits(2),
    ],
    { globals: F },
  ),
  program(
    'integer constants stay integers',
    `out[0] = SHIFTED; out[1] = MASKED; out[2] = INVERTED; out[3] = ZERO; out[4] = u32(SEVENTH / 2); out[5] = u32(SEVENTH % 3);
     out[6] = LARGE; out[7] = f(-0);`,
    [0x300, 0x5, 0xfffffff0, 0, -3, -1, 3000000000, bits(0)],
    {
      globals: `${F}
const SHIFTED: u32 = 3 << 8;
const MASKED: u32 = (7 & 5) | (1 ^ 0);
const INVERTED: u32 = ~15u;
const ZERO = 0u;
const SEVENTH: i32 = -14 / 2;
const LARGE: u32 = 3000000000;`,
    },
  ),
  program(
    'constants of arithmetic give the lengths of arrays',
    `var a: array<u32, N * 2 - 1>;
     for (var i = 0u; i < LENGTH; i++) { a[i] = i * i; }
     out[0] = a[6]; out[1] = LENGTH; out[2] = table[1]; out[3] = u32(array(4, 5, 6)[2]);`,
    [36, 7, 20, 6],
    { globals: 'const N = 4;\nconst LENGTH: u32 = N * 2 - 1;\nconst table = array<u32, 3>(10, 20, 30);' },
  ),
  program(
    'functions of constants without a type have none either',
    `let k = 5u; out[0] = k + min(3, 4) * max(1, 2); out[1] = u32(7i - clamp(9, 1, 4)); out[2] = k - abs(-2);
     out[3] = k + select(1, 2, true); let x = select(1, 2, input[1] == 1); out[4] = u32(x);`,
    [11, 3, 3, 7, 2],
  ),
  program(
    'vectors of constants take the type of what is not constant',
    `let x = f32(input[3]); let v = vec2(1, x); out[0] = f(v.x); out[1] = f(v.y);
     let w = vec3(1, 2.5, 3); out[2] = f(w.y); let q = vec4(vec2(1.5), x, 2); out[3] = f(q.w);
     let m = vec2f(2.5) * vec2(2, 4); out[4] = f(m.x); out[5] = f(m.y); let n = vec4(1, 2, 3, 4); out[6] = u32(n.w);`,
    [bits(1), bits(3), bits(2.5), bits(2), bits(5), bits(10), 4],
    { globals: F },
  ),
  program(
    'a constant of the module is the same in every branch',
    `var sum = 0.0;
     if (input[0] == 1u) { sum += C; }
     if (input[0] == 0u) { sum += C + V.y; }
     out[0] = f(sum);`,
    [bits(15)],
    { globals: `${F}\nconst V = vec4f(1, 2, 2, 2);\nconst C = dot(V, V);` },
  ),
  program(
    'NaN goes through comparisons and selections',
    `let nan = bitcast<f32>(input[0]); let also = bitcast<f32>(0x7fc00000u | input[1]);
     out[0] = f(select(nan, 0.0, nan <= 0.0)); out[1] = u32(nan == nan); out[2] = u32(nan < 1.0 || nan > 1.0);
     out[3] = u32(nan != nan); out[4] = f(select(0.0, nan, !(nan <= 0.0))); out[5] = u32(also == also);
     out[6] = f(select(vec4f(nan), vec4f(0.0), vec4f(nan) <= vec4f(0.0)).z);`,
    [0x7fc00000, 0, 0, 1, 0x7fc00000, 0, 0x7fc00000],
    { globals: F, input: [0x7fc00000, 0], open: 'compilers of shaders may assume that there is no NaN' },
  ),
];

export const VECTORS = [
  program(
    'components of every type of vector are read and set',
    `var a = vec2u(1, 2); a.y = 7; a[0] += 4; out[0] = a.x; out[1] = a.y;
     var b = vec3i(-1, 2, 3); b.z *= -2; b[1] = b.z; out[2] = u32(b.y); out[3] = u32(b.z);
     var c = vec4f(1, 2, 3, 4); c.w = c.x + c.y; c[2] -= 1.5; out[4] = f(c.z); out[5] = f(c.w);
     var d = vec4u(1, 2, 3, 4); d.x <<= 3u; d.w ^= 1u; out[6] = d.r; out[7] = d.a;
     var e = vec4<bool>(true, false, true, false); e.y = !e.w; out[8] = u32(all(e.xyz)); out[9] = u32(any(e.ww));`,
    [5, 7, -6, -6, bits(1.5), bits(3), 8, 5, 1, 0],
    { globals: F },
  ),
  program(
    'components with an index that is known only as it runs',
    `for (var k = 0u; k < 4u; k++) {
       let i = input[k];
       var a = vec2u(1, 2); a[i & 1u] = 9; out[4 * k] = a.x * 10 + a.y;
       var b = vec4f(1, 2, 3, 4); b[i] += 10.0; out[4 * k + 1] = u32(b.x + b.y + b.z + b.w + 100.0 * b[i]);
       let c = vec3u(5, 6, 7); out[4 * k + 2] = c[min(i, 2u)];
       out[4 * k + 3] = (vec4u(i) * vec4u(1, 2, 3, 4))[i];
     }`,
    range(4, (i) => [[92, 19][i & 1], 20 + 100 * (11 + i), [5, 6, 7, 7][i], i * (i + 1)]).flat(),
  ),
  program(
    'swizzles',
    `let v = vec4u(1, 2, 3, 4); let w = v.wzyx; out[0] = w.x * 1000 + w.y * 100 + w.z * 10 + w.w;
     let x = vec4f(1, 2, 3, 4).xxyy * 2.0; out[1] = u32(dot(x, vec4f(1000, 100, 10, 1)));
     var y = vec4f(1, 2, 3, 4); y = y.yxwz; out[2] = u32(dot(y, vec4f(1000, 100, 10, 1)));
     var z = vec2u(1, 2); z = z.yx; out[3] = z.x * 10 + z.y; out[4] = v.yz.y; out[5] = vec3u(1, 2, 3).zx.x;
     let p = vec4f(y.xy, 0.5, 1.0); out[6] = u32(p.x + p.y + 2.0 * p.z);`,
    [4321, 2244, 2143, 21, 3, 3, 4],
  ),
  program(
    'vectors with vectors and with numbers',
    `let a = vec4f(1, -2, 3, -4); let b = 2.0 * a - vec4f(1) / 2.0; out[0] = f(b.x); out[1] = f(b.w);
     let c = vec3i(7, -7, 9) / 2; out[2] = u32(c.x); out[3] = u32(c.y); let d = vec2u(5, 6) % vec2u(input[0], 4);
     out[4] = d.x; out[5] = d.y; let e = max(a, vec4f(0)); out[6] = f(e.y + e.z); out[7] = f(abs(a).w);
     let g = select(a, vec4f(9), a < vec4f(0)); out[8] = f(g.x); out[9] = f(g.w);
     let h = select(vec2u(1, 2), vec2u(3, 4), vec2<bool>(false, true)); out[10] = h.x * 10 + h.y;
     let i = vec4u(vec4f(1.9, 2.9, -3.0, 4.0)); out[11] = i.x + i.y + i.z + i.w; out[12] = f((-a).y);
     let j = bitcast<vec4u>(a); out[13] = j.z; let k = vec4u(1u) << vec4u(0, 1, 2, 3); out[14] = k.x + k.y + k.z + k.w;
     out[15] = u32(dot(vec3i(1, 2, 3), vec3i(4, -5, 6))); out[16] = f(clamp(a, vec4f(-1), vec4f(1)).w);
     out[17] = f(select(vec3f(1, 2, 3), vec3f(4), a.x > 0).z);`,
    [
      bits(1.5),
      bits(-8.5),
      3,
      -3,
      0,
      2,
      bits(3),
      bits(4),
      bits(1),
      bits(9),
      14,
      7,
      bits(2),
      bits(3),
      15,
      12,
      bits(-1),
      bits(4),
    ],
    { globals: F },
  ),
];
