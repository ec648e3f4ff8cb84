//! A straight line through weighted points, from which the slope in a log-log plot is read.

/// A line with this slope through (x, y). In a log-log plot all of them are in natural logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The change of y when x grows by 1.
    pub slope: f64,
    /// The weighted mean of the points' x, where the line has the height `y`.
    pub x: f64,
    /// The weighted mean of the points' y.
    pub y: f64,
}

impl Line {
    /// The least-squares line through points (weight, x, y); `None` if there are fewer than two
    /// different x, or if a number is not finite.
    #[must_use]
    pub fn through(points: &[(f64, f64, f64)]) -> Option<Self> {
        let total: f64 = points.iter().map(|(weight, ..)| weight).sum();
        let points = points.iter().map(|(weight, x, y)| (weight / total, *x, *y));
        let mean_x: f64 = points.clone().map(|(weight, x, _)| weight * x).sum();
        let mean_y: f64 = points.clone().map(|(weight, _, y)| weight * y).sum();
        let (covariance, variance) =
            points.fold((0.0, 0.0), |(covariance, variance), (w, x, y)| {
                let (x, y) = (x - mean_x, y - mean_y);
                (covariance + w * x * y, variance + w * x * x)
            });
        let line = Self {
            slope: covariance / variance,
            x: mean_x,
            y: mean_y,
        };
        line.slope.is_finite().then_some(line)
    }

    /// The line's y at `x`.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        self.y + self.slope * (x - self.x)
    }

    /// The line with another slope that meets this one in the middle of the points.
    #[must_use]
    pub fn with_slope(self, slope: f64) -> Self {
        Self { slope, ..self }
    }
}
