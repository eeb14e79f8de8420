// max(v, 0) that preserves NaN: WGSL's max returns 0 for NaN, which would hide a diverged network.
fn relu(v: f32) -> f32 {
  return select(v, 0.0, v <= 0.0);
}

// The gradient before a ReLU, from the ReLU's output.
fn relu_gradient(output: f32, gradient: f32) -> f32 {
  return select(gradient, 0.0, output <= 0.0);
}

fn relu_four(v: vec4f) -> vec4f {
  return select(v, vec4f(), v <= vec4f());
}

fn relu_gradient_four(output: vec4f, gradient: vec4f) -> vec4f {
  return select(gradient, vec4f(), output <= vec4f());
}
